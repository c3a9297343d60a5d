// Runs in every new document before the page's scripts do. The last one of these scripts holds: it undoes the one before.
(moment) => {
  const key = '__assayFrozen';
  if (globalThis[key]) globalThis[key]();
  if (moment === null) return;
  const Real = Date, realNow = Date.now, random = Math.random, format = Intl.DateTimeFormat.prototype;
  const formats = Object.getOwnPropertyDescriptor(format, 'format'), parts = format.formatToParts;

  globalThis.Date = new Proxy(Real, {
    construct: (target, args, caller) => Reflect.construct(target, args.length ? args : [moment], caller),
    apply: () => new Real(moment).toString(),
  });
  Real.now = () => moment;
  Real.prototype.constructor = globalThis.Date;
  Object.defineProperty(format, 'format', { ...formats, get() {
    const plain = formats.get.call(this);
    return (date) => plain(date === undefined ? moment : date);
  } });
  format.formatToParts = function (date) {
    return parts.call(this, date === undefined ? moment : date);
  };

  const clock = globalThis.Temporal && Temporal.Now, realClock = clock && Object.getOwnPropertyDescriptors(clock);
  if (clock) {
    const zone = clock.timeZoneId, instant = () => Temporal.Instant.fromEpochMilliseconds(moment);
    const zonedDateTimeISO = (id = zone()) => instant().toZonedDateTimeISO(id);
    Object.assign(clock, {
      instant, zonedDateTimeISO,
      plainDateTimeISO: (id) => zonedDateTimeISO(id).toPlainDateTime(),
      plainDateISO: (id) => zonedDateTimeISO(id).toPlainDate(),
      plainTimeISO: (id) => zonedDateTimeISO(id).toPlainTime(),
    });
  }

  // Mulberry32, with a seed of our own.
  let seed = 0x5eed;
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let x = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };

  Object.defineProperty(globalThis, key, { configurable: true, value: () => {
    globalThis.Date = Real;
    Real.now = realNow;
    Real.prototype.constructor = Real;
    Math.random = random;
    if (clock) Object.defineProperties(clock, realClock);
    Object.defineProperty(format, 'format', formats);
    format.formatToParts = parts;
    delete globalThis[key];
  } });
}
