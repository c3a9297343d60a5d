// Notes when the page's timers are due, and runs in the page's own world: a browser reports no timers. Handlers are passed on as they are.
// The selector engine asks by a cancelable event, which is the one thing that two worlds share: see outline/page_waits.js.
(() => {
	const LONGEST = 3600000; // ms
	const SHORTEST = 50; // ms; one that is due sooner is over before anybody looks again
	const ROUNDS = 3; // of an interval, or of a handler that sets itself again, that count
	const MOST = 500;
	const GRACE = 100; // ms after a moment for what is done then
	const due = new Map(), rounds = new WeakMap(), repeated = new Set();
	let ours = false; // what is set now is not the page's
	let soon = 0, again = 0; // until when something short, or what sets itself again, may run
	const now = performance.now.bind(performance), add = EventTarget.prototype.addEventListener, apply = Reflect.apply;
	const set = Map.prototype.set, drop = Map.prototype.delete, each = Map.prototype.forEach;
	const add1 = Set.prototype.add, forget = Set.prototype.delete, max = Math.max;
	const noted = repeats => ({ apply(target, self, args) {
		const id = apply(target, self, args);
		if (ours) return id;
		try {
			const delay = Number(args[1]) || 0, handler = args[0], moment = now();
			if (delay < SHORTEST) soon = max(soon, moment + delay);
			if (repeats && repeated.size < MOST) add1.call(repeated, id);
			if (typeof handler === 'function' && !repeats) {
				const times = (rounds.get(handler) || 0) + 1;
				rounds.set(handler, times);
				if (times > ROUNDS) {
					again = max(again, moment + delay);
					return id;
				}
			}
			if (delay < SHORTEST || delay > LONGEST) return id;
			if (due.size >= MOST) each.call(due, (at, old) => { if (at < moment) drop.call(due, old) });
			if (due.size < MOST) set.call(due, id, moment + (repeats ? ROUNDS : 1) * delay);
			else again = max(again, moment + delay);
		} catch {}
		return id;
	} });
	const ended = { apply(target, self, args) {
		drop.call(due, args[0]);
		forget.call(repeated, args[0]);
		return apply(target, self, args);
	} };
	self.setTimeout = new Proxy(self.setTimeout, noted(false));
	self.setInterval = new Proxy(self.setInterval, noted(true));
	self.clearTimeout = new Proxy(self.clearTimeout, ended);
	self.clearInterval = new Proxy(self.clearInterval, ended);
	const delayed = (owner, name, delayOf) => {
		if (owner && owner[name]) owner[name] = new Proxy(owner[name], { apply(target, self, args) {
			try {
				const moment = now(), delay = Number(delayOf(args)) || 0;
				if (due.size < MOST) set.call(due, {}, moment + delay);
				else again = max(again, moment + delay);
			} catch {}
			return apply(target, self, args);
		} });
	};
	delayed(self.Scheduler && Scheduler.prototype, 'postTask', args => args[1] && args[1].delay);
	delayed(self.AbortSignal, 'timeout', args => args[0]);
	const within = ms => ({ apply(target, self, args) {
		const id = apply(target, self, args);
		if (!ours) soon = max(soon, now() + ms);
		return id;
	} });
	self.requestAnimationFrame = new Proxy(self.requestAnimationFrame, within(17));
	self.requestIdleCallback = new Proxy(self.requestIdleCallback, within(SHORTEST));
	add.call(self, 'assay:timers', event => {
		const moment = now(), until = moment + event.detail;
		each.call(due, (at, id) => {
			if (at < moment - 250) drop.call(due, id); // its handler has run, and had time for what it began
			else if (at <= until) event.preventDefault();
		});
	}, true);
	add.call(self, 'assay:ours', () => { ours = true; }, true);
	add.call(self, 'assay:theirs', () => { ours = false; }, true);
	add.call(self, 'assay:goes', event => {
		const moment = now() - GRACE;
		if (moment < soon || moment < again || repeated.size) event.preventDefault();
	}, true);
})();
