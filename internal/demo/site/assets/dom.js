// Elements without innerHTML: what comes from the API is always text.

const svgNamespace = 'http://www.w3.org/2000/svg';

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export const byId = (id) => document.getElementById(id);
export const el = (name, attributes = {}, ...children) =>
  build(document.createElement(name), attributes, children);
export const svg = (name, attributes = {}, ...children) =>
  build(document.createElementNS(svgNamespace, name), attributes, children);
