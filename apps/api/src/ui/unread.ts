import { assetUrl, readAsset } from './assets.js';

/** More are shown as this many and a plus. */
export const MAX_SHOWN_UNREAD = 99;

export const titleWithUnread = (title: string, unread: number): string =>
  unread > 0 ? `(${unreadWords(unread)}) ${title}` : title;

const unreadWords = (unread: number): string => (unread > MAX_SHOWN_UNREAD ? `${MAX_SHOWN_UNREAD}+` : String(unread));

export const iconUrl = (unread: number): string => (unread > 0 ? unreadIcon(unread) : assetUrl('icon.svg'));

/** The icon of the browser’s tab with a number in its corner. The policy allows pictures that are data. */
function unreadIcon(unread: number): string {
  const badge = `<circle cx="21" cy="11" r="11" fill="#b3202f"/><text x="21" y="17" font-family="sans-serif"
    font-weight="700" font-size="${unread > 9 ? 14 : 17}" text-anchor="middle" fill="#fff">${Math.min(unread, MAX_SHOWN_UNREAD)}</text>`;
  const svg = readAsset('icon.svg').replace('</svg>', `${badge.replace(/\s+/g, ' ')}</svg>`);
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
