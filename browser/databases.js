// Reads and writes the IndexedDB databases of an origin, in the form of Playwright's storage state, with
// three additions to its encoding: Map {m, id}, Set {s, id} and ArrayBuffer {ab}. It is called with
// {restore: JSON} to write and with {limit: bytes} to read, and answers JSON.
async (order) => {
  const arrays = { i8: Int8Array, ui8: Uint8Array, ui8c: Uint8ClampedArray, i16: Int16Array, ui16: Uint16Array,
    i32: Int32Array, ui32: Uint32Array, f32: Float32Array, f64: Float64Array, bi64: BigInt64Array, bui64: BigUint64Array };
  const kind = (v) => Object.prototype.toString.call(v).slice(8, -1);
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('another connection keeps the database from being opened'));
  });

  const toBase64 = (bytes) => {
    let binary = '';
    for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(binary);
  };
  const fromBase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;

  // Whether JSON gives the value back as it is.
  const plain = (v, above = []) => {
    if (v === null || typeof v === 'string' || typeof v === 'boolean') return true;
    if (typeof v === 'number') return Number.isFinite(v) && !Object.is(v, -0);
    if (typeof v !== 'object' || above.includes(v) || above.length > 100) return false;
    if (Array.isArray(v)) return Object.keys(v).length === v.length && v.every((x) => plain(x, [...above, v]));
    return kind(v) === 'Object' && !('toJSON' in v) && Object.values(v).every((x) => plain(x, [...above, v]));
  };

  const encode = (v, seen) => {
    if (v === undefined) return { v: 'undefined' };
    if (v === null) return { v: 'null' };
    if (typeof v === 'string' || typeof v === 'boolean') return v;
    if (typeof v === 'number') return Number.isFinite(v) && !Object.is(v, -0) ? v : { v: Object.is(v, -0) ? '-0' : String(v) };
    if (typeof v === 'bigint') return { bi: String(v) };
    if (seen.has(v)) return { ref: seen.get(v) };
    const k = kind(v);
    if (k === 'Date') return { d: v.toJSON() };
    if (k === 'RegExp') return { r: { p: v.source, f: v.flags } };
    if (k === 'Error') return { e: { n: v.name, m: v.message, s: v.stack || '' } };
    if (k === 'ArrayBuffer') return { ab: toBase64(new Uint8Array(v)) };
    for (const [name, type] of Object.entries(arrays))
      if (v instanceof type) return { ta: { b: toBase64(new Uint8Array(v.buffer, v.byteOffset, v.byteLength)), k: name } };
    const id = seen.size + 1;
    seen.set(v, id);
    if (k === 'Array') return { a: Array.from(v, (x) => encode(x, seen)), id };
    if (k === 'Map') return { m: [...v].map(([key, x]) => [encode(key, seen), encode(x, seen)]), id };
    if (k === 'Set') return { s: [...v].map((x) => encode(x, seen)), id };
    if (k === 'Object') return { o: Object.keys(v).map((key) => ({ k: key, v: encode(v[key], seen) })), id };
    throw new TypeError(k); // such as a CryptoKey, which no script can read
  };

  const decode = (v, known) => {
    if (v === null || typeof v !== 'object') return v;
    const keep = (made) => (known.set(v.id, made), made);
    if ('ref' in v) return known.get(v.ref);
    if ('v' in v) return { undefined, null: null, NaN, Infinity, '-Infinity': -Infinity, '-0': -0 }[v.v];
    if ('d' in v) return new Date(v.d);
    if ('bi' in v) return BigInt(v.bi);
    if ('r' in v) return new RegExp(v.r.p, v.r.f);
    if ('e' in v) return Object.assign(new Error(v.e.m), { name: v.e.n, stack: v.e.s });
    if ('ab' in v) return fromBase64(v.ab);
    if ('ta' in v) return new arrays[v.ta.k](fromBase64(v.ta.b));
    if ('a' in v) {
      const made = keep([]);
      for (const x of v.a) made.push(decode(x, known));
      return made;
    }
    if ('m' in v) {
      const made = keep(new Map());
      for (const [key, x] of v.m) made.set(decode(key, known), decode(x, known));
      return made;
    }
    if ('s' in v) {
      const made = keep(new Set());
      for (const x of v.s) made.add(decode(x, known));
      return made;
    }
    const made = keep({});
    for (const { k, v: x } of v.o || [])
      Object.defineProperty(made, k, { value: decode(x, known), writable: true, enumerable: true, configurable: true });
    return made;
  };
  const read = (record, name) => (name in record ? record[name] : decode(record[`${name}Encoded`], new Map()));
  const path = (p) => (typeof p === 'string' ? { keyPath: p } : Array.isArray(p) ? { keyPathArray: p } : {});

  const lost = {};
  const readStore = async (db, store) => {
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    const records = [];
    values.forEach((value, i) => {
      try {
        const record = {};
        if (store.keyPath === null)
          if (plain(keys[i])) record.key = keys[i];
          else record.keyEncoded = encode(keys[i], new Map());
        if (plain(value)) record.value = value;
        else record.valueEncoded = encode(value, new Map());
        records.push(record);
      } catch (e) {
        const what = `${db.name}/${store.name}: ${e.message}`;
        lost[what] = (lost[what] || 0) + 1;
      }
    });
    const indexes = [...store.indexNames].map((name) => {
      const index = store.index(name);
      return { name, ...path(index.keyPath), multiEntry: index.multiEntry, unique: index.unique };
    });
    return { name: store.name, autoIncrement: store.autoIncrement, ...path(store.keyPath), records, indexes };
  };
  const readDatabase = async ({ name, version }) => {
    const db = await done(indexedDB.open(name));
    try {
      if (!db.objectStoreNames.length) return { name, version, stores: [] };
      const all = db.transaction([...db.objectStoreNames], 'readonly');
      return { name, version, stores: await Promise.all([...db.objectStoreNames].map((n) => readStore(db, all.objectStore(n)))) };
    } finally {
      db.close(); // or the page could neither upgrade nor delete it
    }
  };
  const writeDatabase = async ({ name, version, stores }) => {
    const opening = indexedDB.open(name, version);
    opening.onupgradeneeded = () => {
      for (const s of stores) {
        const store = opening.result.createObjectStore(s.name, { autoIncrement: s.autoIncrement, keyPath: s.keyPathArray ?? s.keyPath ?? null });
        for (const i of s.indexes) store.createIndex(i.name, i.keyPathArray ?? i.keyPath, { unique: i.unique, multiEntry: i.multiEntry });
      }
    };
    const db = await done(opening);
    try {
      if (!stores.length) return;
      const all = db.transaction(stores.map((s) => s.name), 'readwrite');
      const written = new Promise((resolve, reject) => {
        all.oncomplete = resolve;
        all.onerror = all.onabort = () => reject(all.error);
      });
      for (const s of stores) {
        const store = all.objectStore(s.name);
        for (const r of s.records) {
          const inline = s.keyPath !== undefined || s.keyPathArray !== undefined;
          inline ? store.put(read(r, 'value')) : store.put(read(r, 'value'), read(r, 'key'));
        }
      }
      await written;
    } finally {
      db.close();
    }
  };

  if (order.restore) {
    for (const database of JSON.parse(order.restore)) await writeDatabase(database);
    return '{}';
  }
  const found = indexedDB.databases ? await indexedDB.databases() : [];
  const databases = [];
  for (const info of found) databases.push(await readDatabase(info));
  const text = JSON.stringify({ databases, lost });
  return text.length > order.limit ? JSON.stringify({ size: text.length }) : text;
}
