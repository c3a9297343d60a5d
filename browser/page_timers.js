// Notes when the page's timers are due, and runs in the page's own world: a browser reports no timers. Handlers are passed on as they are.
// The selector engine asks by a cancelable event, which is the one thing that two worlds share: see outline/page_waits.js.
(() => {
	const LONGEST = 10000; // ms; nothing waits for a timer beyond that
	const SHORTEST = 50; // ms; one that is due sooner is over before anybody looks again
	const ROUNDS = 3; // of an interval, or of a handler that sets itself again, that count
	const MOST = 500;
	const due = new Map(), rounds = new WeakMap(); // id to {at, made, counts}
	const now = performance.now.bind(performance), add = EventTarget.prototype.addEventListener, apply = Reflect.apply;
	const set = Map.prototype.set, drop = Map.prototype.delete, each = Map.prototype.forEach;
	const noted = repeats => ({ apply(target, self, args) {
		const id = apply(target, self, args);
		try {
			const delay = Number(args[1]) || 0, handler = args[0];
			let times = 0;
			if (typeof handler === 'function' && !repeats) {
				times = (rounds.get(handler) || 0) + 1;
				rounds.set(handler, times);
			}
			if (delay < SHORTEST || delay > LONGEST) return id;
			const moment = now();
			if (due.size >= MOST) each.call(due, ({ at }, old) => { if (at < moment) drop.call(due, old) });
			if (due.size < MOST) set.call(due, id, { at: moment + (repeats ? ROUNDS : 1) * delay, made: moment, counts: times <= ROUNDS, repeats });
		} catch {}
		return id;
	} });
	const ended = { apply(target, self, args) {
		drop.call(due, args[0]);
		return apply(target, self, args);
	} };
	self.setTimeout = new Proxy(self.setTimeout, noted(false));
	self.setInterval = new Proxy(self.setInterval, noted(true));
	self.clearTimeout = new Proxy(self.clearTimeout, ended);
	self.clearInterval = new Proxy(self.clearInterval, ended);
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
})();
