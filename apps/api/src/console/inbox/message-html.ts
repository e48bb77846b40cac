import sanitize from 'sanitize-html';

/** Tags that format text. Layout, scripts, frames, styles and inputs are not allowed. */
const ALLOWED_TAGS = (
  'p div br span hr b strong i em u s del small sub sup a img ' +
  'ul ol li blockquote pre code table thead tbody tr td th'
).split(' ');

/** Very deep markup would make the browser slow and could overflow the stack. */
const MAX_NESTING = 40;

const HTML_TAG = new RegExp(`</?(?:${ALLOWED_TAGS.join('|')}|h[1-6]|html|body|font|center)(?:\\s[^<>]*)?/?>`, 'i');

export const looksLikeHtml = (body: string): boolean => HTML_TAG.test(body);

/** Makes the markup of strangers harmless. Only its result may stand in a page unescaped. */
export function sanitizeMessageHtml(body: string, { images }: { images: boolean }): string {
  return sanitize(body, {
    allowedTags: ALLOWED_TAGS,
    allowedAttributes: {
      a: ['href', 'title', 'target', 'rel'],
      img: ['src', 'alt', 'width', 'height'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan'],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https', 'data'] },
    allowProtocolRelative: false,
    nestingLimit: MAX_NESTING,
    transformTags: { ...HEADINGS_TO_PARAGRAPHS, a: externalLink, img: images ? keepAttributes : inlineImageOnly },
    // Removes pictures without an address: those that pointed at a script or were held back.
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs['src'],
  });
}

/** Two patterns, each of which reads a character once: one for both would try every start against every end. */
export const hasRemoteImages = (body: string): boolean =>
  (body.match(/<img\b[^<>]*/gi) ?? []).some((tag) => /src\s{0,9}=\s{0,9}["']?\s{0,9}(https?:|\/\/)/i.test(tag));

const keepAttributes: sanitize.Transformer = (tagName, attribs) => ({ tagName, attribs });

/** Headings of strangers become paragraphs, so that the page keeps its own outline. */
const HEADINGS_TO_PARAGRAPHS = Object.fromEntries(
  ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((heading) => [heading, 'p']),
);

/** A linked page gets no referrer and no access to our window. */
const externalLink: sanitize.Transformer = (tagName, attribs) => ({
  tagName,
  attribs: { ...attribs, target: '_blank', rel: 'noopener noreferrer' },
});

/** A remote picture would tell its owner that, when and where the message was read. */
const inlineImageOnly: sanitize.Transformer = (tagName, attribs) => {
  const { src = '', ...others } = attribs;
  return { tagName, attribs: /^data:image\/(png|jpeg|gif|webp);/i.test(src) ? { src, ...others } : others };
};
