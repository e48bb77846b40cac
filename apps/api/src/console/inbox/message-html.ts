import sanitize from 'sanitize-html';

/** Tags that say something about the text. What lays out, scripts, frames, styles or asks for input is not among them. */
const ALLOWED_TAGS = (
  'p div br span hr b strong i em u s del small sub sup a img ' +
  'ul ol li blockquote pre code table thead tbody tr td th'
).split(' ');

/** Deeper markup than anybody writes would make the browser slow, and the stack deep. */
const MAX_NESTING = 40;

const HTML_TAG = new RegExp(`</?(?:${ALLOWED_TAGS.join('|')}|h[1-6]|html|body|font|center)(?:\\s[^<>]*)?/?>`, 'i');

export const looksLikeHtml = (body: string): boolean => HTML_TAG.test(body);

/** Markup of strangers, made harmless. It may stand in a page as it is; nothing else that they wrote may. */
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
    // Without an address it is nothing: one that pointed at a script, or has been held back.
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs['src'],
  });
}

export const hasRemoteImages = (body: string): boolean => /<img[^>]+src\s*=\s*["']?\s*(https?:|\/\/)/i.test(body);

const keepAttributes: sanitize.Transformer = (tagName, attribs) => ({ tagName, attribs });

/** The page we send keeps its own outline: a stranger's heading is only a paragraph of theirs. */
const HEADINGS_TO_PARAGRAPHS = Object.fromEntries(
  ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((heading) => [heading, 'p']),
);

/** The page behind a stranger's link learns nothing of ours and cannot reach it. */
const externalLink: sanitize.Transformer = (tagName, attribs) => ({
  tagName,
  attribs: { ...attribs, target: '_blank', rel: 'noopener noreferrer' },
});

/** A picture fetched from elsewhere tells its owner that, when and where the message was read. */
const inlineImageOnly: sanitize.Transformer = (tagName, attribs) => {
  const { src = '', ...others } = attribs;
  return { tagName, attribs: /^data:image\/(png|jpeg|gif|webp);/i.test(src) ? { src, ...others } : others };
};
