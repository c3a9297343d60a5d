// Shows each browser context that tests open to a visitor, before the test has it.
'use strict';

exports.eachContext = (core, key, visit) => {
  const mark = Symbol.for('assay.' + key);
  if (globalThis[mark]) return;
  globalThis[mark] = true;
  const type = Object.getPrototypeOf(core.chromium);
  const wrapped = (owner, name, made) => {
    const own = owner[name];
    owner[name] = async function (...args) {
      return made(await own.apply(this, args));
    };
  };
  const shown = async (context) => {
    await visit(context);
    return context;
  };
  wrapped(type, 'launch', (browser) => {
    const prototype = Object.getPrototypeOf(browser);
    if (!prototype[mark]) {
      prototype[mark] = true;
      wrapped(prototype, 'newContext', shown);
    }
    return browser;
  });
  wrapped(type, 'launchPersistentContext', shown);
};
