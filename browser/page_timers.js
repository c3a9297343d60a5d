// Notes when the page's timers are due, and runs in the page's own world: a browser reports no timers. Handlers are passed on as they are.
// The selector engine asks by a cancelable event, which is the one thing that two worlds share: see outline/page_waits.js.
(() => {
	const LONGEST = 3600000; // ms
	const SHORTEST = 50; // ms; one that is due sooner is over before anybody looks again
	const ROUNDS = 3; // of an interval, or of a handler that sets itself again, that count
	const MOST = 500;
	const GRACE = 100; // ms after a moment for what is done then
	const FOLLOWS = 1000; // ms after a timer has run within which another one of its kind follows it, rather than comes anew
	const KNOWN = 300, LETTERS = 300; // kinds of timers, and what is read of a handler, that tell which follow one another
	const due = new Map(), rounds = new WeakMap(), repeated = new Set(); // due: id to {at, made, counts, repeats, row}
	const rowOf = new WeakMap(), rowBy = new Map(); // by handler, or by what a handler says that is made anew each time
	let ours = false; // what is set now is not the page's
	let soon = 0, again = 0; // until when something short, or what sets itself again, may run
	const now = performance.now.bind(performance), add = EventTarget.prototype.addEventListener, apply = Reflect.apply;
	const set = Map.prototype.set, drop = Map.prototype.delete, each = Map.prototype.forEach;
	const add1 = Set.prototype.add, forget = Set.prototype.delete, max = Math.max, round = Math.round, get = Map.prototype.get;
	const told = CustomEvent, dispatch = EventTarget.prototype.dispatchEvent, source = Function.prototype.toString, slice = String.prototype.slice;
	const held = WeakMap.prototype.get, hold = WeakMap.prototype.set, empty = Map.prototype.clear;
	let acted = -1; // when a person, or an act of ours, touched the page last
	for (const type of ['pointerdown', 'keydown', 'input', 'change']) add.call(self, type, event => { if (event.isTrusted) acted = now() }, { capture: true, passive: true });
	// rowOn returns the row of timers that a new one goes on, of which each sets the next: when it began, and how many there were. One that was
	// taken back before it was due begins a row of its own, as a debounce does, and so does one that an act sets a while later.
	const rowOn = (handler, delay, moment) => {
		const own = typeof handler === 'function', kind = delay + ' ' + apply(slice, own ? apply(source, handler, []) : String(handler), [0, LETTERS]);
		const last = own && apply(held, rowOf, [handler]) || apply(get, rowBy, [kind]);
		const follows = last && !last.ended && moment >= last.at - 20 && (acted < last.made || moment <= last.at + max(FOLLOWS, last.at - last.made));
		const row = { began: follows ? last.began : moment, count: follows ? last.count + 1 : 1, made: moment, at: moment + delay, ended: false };
		if (own) apply(hold, rowOf, [handler, row]);
		if (rowBy.size >= KNOWN) apply(empty, rowBy, []);
		apply(set, rowBy, [kind, row]);
		return row;
	};
	const noted = repeats => ({ apply(target, self, args) {
		const id = apply(target, self, args);
		if (ours) return id;
		try {
			const delay = Number(args[1]) || 0, handler = args[0], moment = now();
			if (delay < SHORTEST) soon = max(soon, moment + delay);
			if (repeats && repeated.size < MOST) add1.call(repeated, id);
			let counts = true;
			if (typeof handler === 'function' && !repeats) {
				const times = (rounds.get(handler) || 0) + 1;
				rounds.set(handler, times);
				counts = times <= ROUNDS;
				if (!counts) again = max(again, moment + delay);
			}
			if (delay < SHORTEST || delay > LONGEST) return id;
			const row = repeats ? undefined : rowOn(handler, delay, moment);
			if (due.size >= MOST) each.call(due, ({ at }, old) => { if (at < moment) drop.call(due, old) });
			if (due.size < MOST) set.call(due, id, { at: moment + (repeats ? ROUNDS : 1) * delay, made: moment, counts, repeats, row });
			else again = max(again, moment + delay);
		} catch {}
		return id;
	} });
	const ended = { apply(target, self, args) {
		const one = apply(get, due, [args[0]]);
		if (one && one.row && now() < one.at) one.row.ended = true;
		drop.call(due, args[0]);
		forget.call(repeated, args[0]);
		return apply(target, self, args);
	} };
	self.setTimeout = new Proxy(self.setTimeout, noted(false));
	self.setInterval = new Proxy(self.setInterval, noted(true));
	self.clearTimeout = new Proxy(self.clearTimeout, ended);
	self.clearInterval = new Proxy(self.clearInterval, ended);
	const delayed = (owner, name, acts, delayOf) => {
		if (owner && owner[name]) owner[name] = new Proxy(owner[name], { apply(target, self, args) {
			try {
				const moment = now(), delay = Number(delayOf(args)) || 0;
				if (due.size < MOST) set.call(due, {}, { at: moment + delay, made: moment, counts: true, repeats: false, row: acts && { began: moment, count: 1 } });
				else again = max(again, moment + delay);
			} catch {}
			return apply(target, self, args);
		} });
	};
	delayed(self.Scheduler && Scheduler.prototype, 'postTask', true, args => args[1] && args[1].delay);
	delayed(self.AbortSignal, 'timeout', false, args => args[0]);
	const within = ms => ({ apply(target, self, args) {
		const id = apply(target, self, args);
		if (!ours) soon = max(soon, now() + ms);
		return id;
	} });
	self.requestAnimationFrame = new Proxy(self.requestAnimationFrame, within(17));
	self.requestIdleCallback = new Proxy(self.requestIdleCallback, within(SHORTEST));
	add.call(self, 'assay:timers', event => {
		const moment = now(), until = moment + event.detail;
		each.call(due, ({ at, counts }, id) => {
			if (at < moment - 250) drop.call(due, id); // its handler has run, and had time for what it began
			else if (counts && at <= until) event.preventDefault();
		});
	}, true);
	// asked for two ages in ms: whether one that was set between them still waits, whatever handler it has
	add.call(self, 'assay:held', event => {
		const [oldest, newest] = String(event.detail).split(' '), moment = now();
		each.call(due, ({ at, made, repeats }) => {
			if (!repeats && at > moment - 20 && made >= moment - oldest && made <= moment - newest) event.preventDefault();
		});
	}, true);
	// answers which timers wait that come once, or have not come often: since when, in how many ms, and how long after they were set
	add.call(self, 'assay:due', () => {
		const moment = now();
		let out = '';
		each.call(due, ({ at, made, row }) => {
			if (row && row.count <= ROUNDS && at >= moment && out.length < 1000) out += round(moment - row.began) + ' ' + round(at - moment) + ' ' + round(at - made) + ' ';
		});
		apply(dispatch, self, [new told('assay:told', { detail: out })]);
	}, true);
	add.call(self, 'assay:ours', () => { ours = true; }, true);
	add.call(self, 'assay:theirs', () => { ours = false; }, true);
	add.call(self, 'assay:goes', event => {
		const moment = now() - GRACE;
		if (moment < soon || moment < again || repeated.size) event.preventDefault();
	}, true);
})();
