// Notes when the page's timers are due, and runs in the page's own world: a browser reports no timers. Handlers are passed on as they are.
// The selector engine asks by an event, which is the one thing that two worlds share: see outline/page_waits.js. What a page does to the globals
// later does not reach what was taken here, so nothing below this line is looked up by its name once the page's scripts run.
(() => {
	if (matchMedia('(scripting: none)').matches) return; // none of these callbacks would run: see outline/scriptless_document.js
	const LONGEST = 3600000; // ms
	const SHORTEST = 50; // ms; one that is due sooner is over before anybody looks again
	const ROUNDS = 3; // of an interval, or of a handler that sets itself again, that count
	const MOST = 500;
	const GRACE = 100; // ms after a moment for what is done then
	const FOLLOWS = 1000; // ms after a timer has run within which another one of its kind follows it, rather than comes anew
	const KNOWN = 300, LETTERS = 300; // kinds of timers, and what is read of a handler, that tell which follow one another
	const ANSWERS = 2000; // ms within which a worker answers that does
	const POLL = 200; // ms between two questions whether it has
	const due = new Map(), rounds = new WeakMap(), repeated = new Set(); // due: id to {at, next, made, counts, repeats, row}
	const rowOf = new WeakMap(), rowBy = new Map(); // by handler, or by what a handler says that is made anew each time
	let ours = false; // what is set now is not the page's
	let soon = -Infinity, again = -Infinity; // until when something short, or what sets itself again, may run
	const now = performance.now.bind(performance), add = EventTarget.prototype.addEventListener, apply = Reflect.apply;
	const set = Map.prototype.set, drop = Map.prototype.delete, each = Map.prototype.forEach, get = Map.prototype.get, empty = Map.prototype.clear;
	const sizeOf = Object.getOwnPropertyDescriptor(Map.prototype, 'size').get, countOf = Object.getOwnPropertyDescriptor(Set.prototype, 'size').get;
	const add1 = Set.prototype.add, forget = Set.prototype.delete, max = Math.max, round = Math.round, number = Number, text = String;
	const told = CustomEvent, dispatch = EventTarget.prototype.dispatchEvent, source = Function.prototype.toString, slice = String.prototype.slice, split = String.prototype.split;
	const held = WeakMap.prototype.get, hold = WeakMap.prototype.set, trap = Proxy, page = self;
	const describe = Object.getOwnPropertyDescriptor, define = Object.defineProperty, valuesOf = Object.values;
	const prevent = Event.prototype.preventDefault, detailOf = describe(CustomEvent.prototype, 'detail').get, trusted = event => event.isTrusted; // the page can't bend isTrusted
	const listen = (target, type, hear, passive) => apply(add, target, [type, hear, { __proto__: null, capture: true, passive }]);
	const before = (call, first) => new trap(call, { __proto__: null, apply(target, self, args) { try { first(self, args) } catch {} return apply(target, self, args) } });
	const behind = (call, then) => new trap(call, { __proto__: null, apply(target, self, args) { const out = apply(target, self, args); try { then(out, args) } catch {} return out } });
	let acted = -1; // when a person, or an act of ours, touched the page last
	for (const type of ['pointerdown', 'keydown', 'input', 'change']) listen(page, type, event => { if (trusted(event)) acted = now() }, true);
	const kindOf = (handler, delay) => delay + ' ' + apply(slice, typeof handler === 'function' ? apply(source, handler, []) : text(handler), [0, LETTERS]);
	const noteRow = (kind, row) => {
		if (apply(sizeOf, rowBy, []) >= KNOWN) apply(empty, rowBy, []);
		apply(set, rowBy, [kind, row]);
		return row;
	};
	// rowOn returns the row of timers that a new one goes on, of which each sets the next: when it began, and how many there were. One that was
	// taken back before it was due begins a row of its own, as a debounce does, and so does one that an act sets a while later.
	const rowOn = (handler, delay, moment) => {
		const own = typeof handler === 'function', kind = kindOf(handler, delay);
		const last = own && apply(held, rowOf, [handler]) || apply(get, rowBy, [kind]);
		const follows = last && !last.ended && moment >= last.at - 20 && (acted < last.made || moment <= last.at + max(FOLLOWS, last.at - last.made));
		const row = { began: follows ? last.began : moment, count: follows ? last.count + 1 : 1, made: moment, at: moment + delay, ended: false };
		if (own) apply(hold, rowOf, [handler, row]);
		return noteRow(kind, row);
	};
	// roundsOf returns the same of an interval: its first round is one that comes. One that is set anew, as when a page is drawn again, goes on.
	const roundsOf = (handler, delay, moment) => {
		const kind = 'each ' + kindOf(handler, delay), last = apply(get, rowBy, [kind]);
		return noteRow(kind, { began: moment, count: last ? ROUNDS + 1 : 1, made: moment, at: moment + delay, ended: false });
	};
	const keep = (id, one, moment) => {
		if (apply(sizeOf, due, []) >= MOST) apply(each, due, [({ at }, old) => { if (at < moment) apply(drop, due, [old]) }]);
		if (apply(sizeOf, due, []) < MOST) apply(set, due, [id, one]);
		else again = max(again, one.at);
	};
	const noted = repeats => (id, args) => {
		if (ours) return;
		const delay = number(args[1]) || 0, handler = args[0], moment = now();
		if (delay < SHORTEST) soon = max(soon, moment + delay);
		if (repeats && apply(countOf, repeated, []) < MOST) apply(add1, repeated, [id]);
		let counts = true;
		if (typeof handler === 'function' && !repeats) {
			const times = (apply(held, rounds, [handler]) || 0) + 1;
			apply(hold, rounds, [handler, times]);
			counts = times <= ROUNDS;
			if (!counts) again = max(again, moment + delay);
		}
		if (delay < SHORTEST || delay > LONGEST) return;
		const row = repeats ? roundsOf(handler, delay, moment) : rowOn(handler, delay, moment);
		keep(id, { at: moment + (repeats ? ROUNDS : 1) * delay, next: moment + delay, made: moment, counts, repeats, row }, moment);
	};
	const ended = (self, args) => {
		const one = apply(get, due, [args[0]]);
		if (one && one.row && now() < one.at) one.row.ended = true;
		apply(drop, due, [args[0]]);
		apply(forget, repeated, [args[0]]);
	};
	page.setTimeout = behind(page.setTimeout, noted(false));
	page.setInterval = behind(page.setInterval, noted(true));
	page.clearTimeout = before(page.clearTimeout, ended);
	page.clearInterval = before(page.clearInterval, ended);
	const delayed = (owner, name, acts, delayOf) => {
		if (owner && owner[name]) owner[name] = before(owner[name], (self, args) => {
			const moment = now(), at = moment + (number(delayOf(args)) || 0);
			keep({}, { at, next: at, made: moment, counts: true, repeats: false, row: acts && { began: moment, count: 1 } }, moment);
		});
	};
	delayed(page.Scheduler && Scheduler.prototype, 'postTask', true, args => args[1] && args[1].delay);
	delayed(page.AbortSignal, 'timeout', false, args => args[0]);
	const within = ms => () => { if (!ours) soon = max(soon, now() + ms) };
	if (page.requestAnimationFrame) page.requestAnimationFrame = before(page.requestAnimationFrame, within(17));
	if (page.requestIdleCallback) page.requestIdleCallback = before(page.requestIdleCallback, within(SHORTEST));

	// What changes how a page is shown and is no mutation of it: its style sheets. A declaration, or a list of sheets, that a script has got it may
	// change at any time: what it says is compared.
	let stirred = -1, unseen = false; // when that was last; whether there is what nobody can look into
	const stir = () => { stirred = now() };
	const got = new Map(); // by what was got: a function that says it, and what it said
	const given = say => one => {
		if (!one || apply(get, got, [one])) return;
		if (apply(sizeOf, got, []) < MOST) apply(set, got, [one, { say, was: say(one) }]);
		else unseen = true;
	};
	const told1 = (name, members, onGet) => toldOf(page[name] && page[name].prototype, members, onGet);
	const toldOf = (proto, members, onGet) => {
		for (const member of members) {
			const d = proto && describe(proto, member);
			if (!d || !d.configurable) continue;
			if (typeof d.value === 'function') d.value = before(d.value, stir);
			if (d.set) d.set = before(d.set, stir);
			if (d.get && onGet) d.get = behind(d.get, onGet);
			define(proto, member, d);
		}
	};
	const ids = new WeakMap();
	let count = 0;
	const idOf = one => { if (!apply(held, ids, [one])) apply(hold, ids, [one, ++count]); return apply(held, ids, [one]) };
	const cssText = page.CSSStyleDeclaration && describe(CSSStyleDeclaration.prototype, 'cssText').get;
	const declaration = given(style => apply(cssText, style, []));
	const sheets = given(list => { let all = ''; for (let i = 0; i < list.length; i++) all += idOf(list[i]) + ' '; return all });
	for (const rule of ['CSSStyleRule', 'CSSKeyframeRule', 'CSSNestedDeclarations', 'CSSFontFaceRule', 'CSSPageRule']) told1(rule, ['style'], declaration);
	for (const owner of ['Document', 'ShadowRoot']) told1(owner, ['adoptedStyleSheets'], sheets);
	told1('CSSStyleSheet', ['insertRule', 'deleteRule', 'addRule', 'removeRule', 'replace', 'replaceSync']);
	told1('StyleSheet', ['disabled']);
	told1('CSSStyleRule', ['selectorText', 'insertRule', 'deleteRule']);
	told1('CSSGroupingRule', ['insertRule', 'deleteRule']);
	told1('CSSKeyframesRule', ['appendRule', 'deleteRule']);
	told1('MediaList', ['mediaText', 'appendMedium', 'deleteMedium']);
	told1('StylePropertyMap', ['set', 'append', 'delete', 'clear']);
	toldOf(page.document.fonts && Object.getPrototypeOf(page.document.fonts), ['add', 'delete', 'clear']); // older browsers have no name for it
	if (page.Element && Element.prototype.attachShadow) Element.prototype.attachShadow = before(Element.prototype.attachShadow, (self, args) => { if (args[0].mode === 'closed') unseen = true });

	// A worker that was sent something answers, or never does. A clock that a test has put in the place of the page's own has its own list of timers.
	const posts = new Map(); // worker to {open, deaf}: since when it has not answered, whether it is one that does not
	if (page.Worker) Worker.prototype.postMessage = before(Worker.prototype.postMessage, worker => {
		let one = apply(get, posts, [worker]);
		if (!one) {
			one = { open: -1, deaf: false };
			if (apply(sizeOf, posts, []) < MOST) apply(set, posts, [worker, one]);
			const heard = () => { one.open = -1; one.deaf = false };
			listen(worker, 'message', heard);
			listen(worker, 'error', heard);
		}
		if (one.open < 0) one.open = now();
	});
	if (page.Worker) Worker.prototype.terminate = before(Worker.prototype.terminate, worker => apply(drop, posts, [worker]));
	const working = tell => {
		const moment = now();
		let any = false;
		apply(each, posts, [one => {
			if (one.open >= 0 && moment - one.open > ANSWERS) one.deaf = true;
			if (one.open < 0 || one.deaf) return;
			any = true;
			tell(moment - one.open, POLL);
		}]);
		return any;
	};
	const pretended = tell => {
		try {
			const clock = page.setTimeout.clock;
			if (!clock || !clock.attachedInterval || !clock.timers) return; // one that does not go by itself
			const all = clock.timers.values ? [...clock.timers.values()] : valuesOf(clock.timers);
			for (let i = 0; i < all.length; i++) if (all[i].callAt > clock.now && !(all[i].callAt - all[i].createdAt > all[i].interval)) tell(clock.now - all[i].createdAt, all[i].callAt - clock.now);
		} catch {}
	};
	const compare = () => apply(each, got, [(one, it) => {
		const is = one.say(it);
		if (is !== one.was) stir();
		one.was = is;
	}]);

	// asked for two ages in ms: whether one that was set between them still waits, whatever handler it has
	listen(page, 'assay:held', event => {
		const ages = apply(split, text(apply(detailOf, event, [])), [' ']), moment = now();
		apply(each, due, [({ at, made, repeats }) => {
			if (!repeats && at > moment - 20 && made >= moment - ages[0] && made <= moment - ages[1]) apply(prevent, event, []);
		}]);
	});
	// answers what may come, and what nobody tells: see askedOf in outline/page_waits.js
	listen(page, 'assay:due', event => {
		const moment = now(), until = moment + (number(apply(detailOf, event, [])) || 0);
		let out = '', comes = 0;
		const tell = (age, left) => { if (out.length < 1000) out += ' ' + round(age) + ' ' + round(left) + ' ' + round(age + left) };
		apply(each, due, [({ at, next, made, counts, repeats, row }, id) => {
			if (at < moment - 250) apply(drop, due, [id]); // its handler has run, and had time for what it began
			else if (counts && at <= until) comes = max(comes, 1, round(repeats && next < moment ? next - made : next - moment));
			if (row && row.count <= ROUNDS && next >= moment && out.length < 1000) out += ' ' + round(moment - row.began) + ' ' + round(next - moment) + ' ' + round(next - made);
		}]);
		const busy = working(tell);
		pretended(tell);
		try { compare() } catch { unseen = true }
		const goes = busy || unseen || moment - GRACE < soon || moment - GRACE < again || apply(countOf, repeated, []) > 0;
		apply(dispatch, page, [new told('assay:told', { __proto__: null, detail: comes + ' ' + (goes ? 1 : 0) + ' ' + (stirred < 0 ? -1 : round(now() - stirred)) + out })]);
	});
	listen(page, 'assay:ours', () => { ours = true });
	listen(page, 'assay:theirs', () => { ours = false });
})();
