const LINK = /(<a(?: [a-z]+="[^"<>]*")*>)((?:[^<]|<(?!\/?a[ >]))*)<\/a>/g;
const HREF = / href="([^"<>]*)"/;

/** Names the host of each link in safe HTML whose text names another one: `bank.example → evil.example`. */
export const withRealHosts = (safe: string): string =>
  safe.replaceAll(LINK, (link, tag: string, content: string) => {
    const href = HREF.exec(tag)?.[1];
    const host = href === undefined ? null : hiddenHost(plainTextOf(content), plainTextOf(href));
    return host === null ? link : `${link.slice(0, -'</a>'.length)} → ${host.replaceAll('&', '&amp;')}</a>`;
  });

/** The host that a link opens, or null if its text does not name another one. */
export function hiddenHost(text: string, href: string): string | null {
  const target = hostOf(href);
  const named = hostOf(URL_IN_TEXT.exec(text)?.[0] ?? '') ?? hostOf(`http://${DOMAIN.exec(text.trim())?.[0] ?? ''}`);
  return target === null || named === null || isWithin(target, named) ? null : target;
}

/** Ends before `@`, as readers take the name before it for the host. */
const URL_IN_TEXT = /https?:\/\/[^\s/?#@\\]+/i;
const DOMAIN = /^(?:[\p{L}\d-]+\.)+\p{L}{2,}(?=[/:?#@]|$)/iu;

const isWithin = (host: string, named: string): boolean => host === named || host.endsWith(`.${named}`);

function hostOf(url: string): string | null {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return null;
  return new URL(url).hostname.replace(/^www\./, '');
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** The sanitizer escapes no other characters. */
export const plainTextOf = (html: string): string =>
  html
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity]!)
    .replaceAll(/[\u00AD\u200B-\u200F\u2060\uFEFF]/g, '');
