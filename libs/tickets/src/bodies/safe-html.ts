import sanitize from 'sanitize-html';
import { ALLOWED_TAGS, wellNested } from './tag-nesting.js';

/** The sanitizer keeps the text of other tags that are not allowed. */
export const NO_TEXT = ['script', 'style', 'textarea', 'option', 'noscript', 'title'];

/** Deeper markup slows down browsers and could overflow the stack. */
const MAX_NESTING = 40;

/** Holds the URL of a remote picture until the reader asks for pictures. */
const HELD_BACK = 'data-remote-src';
const HELD_PICTURE = `<img ${HELD_BACK}=`;

/** Safe HTML names an attached picture by its Content-ID (RFC 2392), then by its attachment. */
const CONTENT_ID = 'data-cid';
const ATTACHMENT = 'data-attachment';

/** Makes markup of strangers safe to show. Returns null if the tags that the sanitizer wrote do not match. */
export function safeHtml(body: string): string | null {
  const sanitized = sanitize(body, {
    allowedTags: ALLOWED_TAGS,
    allowedAttributes: {
      a: ['href', 'title', 'target', 'rel'],
      ol: ['start'],
      img: [HELD_BACK, CONTENT_ID, 'src', 'alt', 'width', 'height'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan'],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https', 'data'] },
    allowedSchemesAppliedToAttributes: ['href', 'src', HELD_BACK],
    allowProtocolRelative: false,
    nestingLimit: MAX_NESTING,
    nonTextTags: NO_TEXT,
    transformTags: { ...HEADINGS_TO_PARAGRAPHS, a: externalLink, img: heldBackPicture },
  });
  return wellNested(sanitized.replaceAll(DROPPED_PICTURE, ''));
}

// The sanitizer escapes `<` and `>` in text, so these match tags only.

export const hasRemotePictures = (safe: string): boolean => safe.includes(HELD_PICTURE);

export const withRemotePictures = (safe: string): string => safe.replaceAll(HELD_PICTURE, '<img src=');

export function withoutRemotePictures(safe: string): string {
  const [start = '', ...parts] = safe.split(HELD_PICTURE);
  return start + parts.map((part) => part.slice(part.indexOf('>') + 1)).join('');
}

/** The only source of unescaped HTML in a page. Returns null if its tags do not match. */
export const startOfHtml = (safe: string, characters: number): string | null =>
  wellNested(safe.length <= characters ? safe : withoutHalfOfSomething(safe.slice(0, characters)));

function withoutHalfOfSomething(cut: string): string {
  const tag = cut.lastIndexOf('<');
  if (tag > cut.lastIndexOf('>')) return cut.slice(0, tag);
  const entity = cut.lastIndexOf('&');
  if (entity > cut.lastIndexOf(';')) return cut.slice(0, entity);
  return cut.replace(/[\uD800-\uDBFF]$/, '');
}

/** Headings become paragraphs, so that the page keeps its own outline. */
const HEADINGS_TO_PARAGRAPHS = { h1: 'p', h2: 'p', h3: 'p', h4: 'p', h5: 'p', h6: 'p' };

const externalLink: sanitize.Transformer = (tagName, attribs) => ({
  tagName,
  attribs: { ...attribs, target: '_blank', rel: 'noopener noreferrer' },
});

/**
 * Replaced after sanitizing: the sanitizer's own filter is slow, and if it gets the name of a tag that is not allowed, it
 * writes this name into the next closing tag.
 */
const DROPPED_PICTURE = '<img />';

const OURS = new Set([HELD_BACK, CONTENT_ID]);

/** A remote picture would report when and where the message was read. */
const heldBackPicture: sanitize.Transformer = (tagName, { src = '', ...given }) => {
  const address = src.trim();
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => !OURS.has(name)));
  const contentId = contentIdOf(address);
  if (contentId !== null) return { tagName, attribs: { [CONTENT_ID]: contentId, ...others } };
  if (/^data:image\/(png|jpeg|gif|webp);/i.test(address)) return { tagName, attribs: { src: address, ...others } };
  if (/^https?:/i.test(address)) return { tagName, attribs: { [HELD_BACK]: address, ...others } };
  return { tagName, attribs: {} };
};

/** `cid:logo@client.test` names `logo@client.test`. */
function contentIdOf(address: string): string | null {
  if (!/^cid:/i.test(address)) return null;
  const written = address.slice('cid:'.length);
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

export const withAttachments = (safe: string, idOf: (contentId: string) => string | undefined): string =>
  safe.replaceAll(/<img data-cid="([^"<>]*)"/g, (found, escaped: string) => {
    const id = idOf(escaped.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity]!));
    return id === undefined ? found : `<img ${ATTACHMENT}="${id}"`;
  });

export const isPictureIn = (safe: string, id: string): boolean => safe.includes(`<img ${ATTACHMENT}="${id}"`);

export const withAttachedPictures = (safe: string, addressOf: (id: string) => string): string =>
  safe.replaceAll(
    /<img data-attachment="([0-9a-f-]{36})"/g,
    (_, id: string) => `<img loading="lazy" src="${addressOf(id)}"`,
  );
