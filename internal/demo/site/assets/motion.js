// Figures that count up, and bars that grow, where the page asks for it.

const length = document.documentElement.dataset.motion === 'count-up' ? 1000 : 0; // ms

// animate calls step with 0 to 1 until it is 1, or until running answers false.
export function animate(running, step) {
  if (length === 0) {
    step(1);
    return;
  }
  const begun = performance.now();
  const frame = (now) => {
    if (!running()) return;
    const part = Math.min(1, Math.max(0, (now - begun) / length));
    step(part);
    if (part < 1) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
