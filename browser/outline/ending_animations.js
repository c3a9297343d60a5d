// Animations and transitions that are about to end: what they are at work on looks otherwise in a moment.

const ENDS_SOON = 3000; // ms: one that goes on for longer is not waited for

// endingAt reports whether such an animation is at work on an element, or on one around it.
function endingAt(el) {
  for (let node = el; node; ) {
    const root = treeRoot(node), type = nodeType(root);
    if (type !== 9 && type !== 11) return false;
    if (endingIn(root).some((target) => contains(target, node))) return true;
    node = type === 11 ? hostOf(root) : outerFrame(root);
  }
  return false;
}

// endingIn lists the targets of a tree, once for a look.
function endingIn(root) {
  rules.ending ||= new Map();
  let targets = rules.ending.get(root);
  if (!targets) rules.ending.set(root, (targets = animationsOf(root).filter(endsSoon).map((a) => a.effect.target)));
  return targets;
}

function endsSoon(animation) {
  const { effect, playState, playbackRate, currentTime } = animation;
  if (playState !== 'running' || !(playbackRate > 0) || !effect || !effect.target || typeof currentTime !== 'number') return false;
  return (effect.getComputedTiming().endTime - currentTime) / playbackRate <= ENDS_SOON;
}
