import type { Page } from 'playwright-core';

/** Pairs of visible texts that overlap on the page. Text scrolled out of its box is skipped. */
export const overlappingTexts = (page: Page): Promise<string[]> => page.evaluate(FIND);

/** Pixels: rounding, and the space above and below letters, overlap by less. */
const TOLERANCE = 3;

/** Source text, because it runs in the page, whose types this project lacks. */
const FIND = `(() => {
  const shown = [];
  const clipped = (rect, element) => {
    let box = { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom };
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflow === 'visible') continue;
      const limit = at.getBoundingClientRect();
      box = {
        left: Math.max(box.left, limit.left), top: Math.max(box.top, limit.top),
        right: Math.min(box.right, limit.right), bottom: Math.min(box.bottom, limit.bottom),
      };
    }
    return box;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.data.trim() || !node.parentElement.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const box = clipped(rect, node.parentElement);
      if (box.right - box.left > ${TOLERANCE} && box.bottom - box.top > ${TOLERANCE}) shown.push({ node, ...box });
    }
  }
  shown.sort((one, other) => one.top - other.top);
  const found = [];
  shown.forEach((one, place) => {
    for (let next = place + 1; next < shown.length && shown[next].top < one.bottom - ${TOLERANCE}; next++) {
      const other = shown[next];
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      if (other.node !== one.node && width > ${TOLERANCE})
        found.push(one.node.data.trim().slice(0, 40) + ' | ' + other.node.data.trim().slice(0, 40));
    }
  });
  return found;
})()`;
