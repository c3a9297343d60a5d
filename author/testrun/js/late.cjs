// Has documents and answers to scripts come later in some slots: what a test takes for done too early turns it red there.
'use strict';

const mark = Symbol.for('assay.late');
const LATE = ['document', 'fetch', 'xhr'];

exports.install = ({ core, test, slots }) => {
  if (globalThis[mark]) return;
  globalThis[mark] = true;
  // late is how much later, in milliseconds, answers come to the test that runs now.
  const late = () => {
    let info;
    try {
      info = test.test.info();
    } catch {
      return 0; // no test runs
    }
    const again = /(?:^|[\\/])(\d{3})-[\w-]+[\\/]\d+\.[cm]js$/.exec(info.titlePath[0]);
    const slot = again ? slots[Number(again[1])] : slots.find((s) => s.name === info.project.name);
    return (slot && slot.late) || 0;
  };
  const type = Object.getPrototypeOf(core.chromium);
  const launch = type.launch;
  type.launch = async function (...args) {
    const browser = await launch.apply(this, args);
    const prototype = Object.getPrototypeOf(browser);
    if (prototype[mark]) return browser;
    prototype[mark] = true;
    const make = prototype.newContext;
    prototype.newContext = async function (...options) {
      const context = await make.apply(this, options);
      const ms = late();
      if (ms) {
        await context.route('**/*', async (route) => {
          if (LATE.includes(route.request().resourceType())) await new Promise((done) => setTimeout(done, ms));
          await route.fallback().catch(() => undefined); // the page may be closed
        });
      }
      return context;
    };
    return browser;
  };
};
