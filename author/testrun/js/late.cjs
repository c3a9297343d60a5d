// Has documents and answers to scripts come later in some slots: what a test takes for done too early turns it red there.
'use strict';

const { eachContext } = require('./contexts.cjs');
const LATE = ['document', 'fetch', 'xhr'];

exports.install = ({ core, test, slots }) => {
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
  eachContext(core, 'late', async (context) => {
    const ms = late();
    if (!ms) return;
    await context.route('**/*', async (route) => {
      if (LATE.includes(route.request().resourceType())) await new Promise((done) => setTimeout(done, ms));
      await route.fallback().catch(() => undefined); // the page may be closed
    });
  });
};
