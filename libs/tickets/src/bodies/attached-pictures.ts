/** Safe HTML names an attached picture by its Content-ID (RFC 2392), then by its attachment. */
export const CONTENT_ID = 'data-cid';
const ATTACHMENT = 'data-attachment';

/** Content-ID of a URL such as `cid:logo@client.test`, or null. */
export function contentIdOf(address: string): string | null {
  if (!/^cid:/i.test(address)) return null;
  const written = address.slice('cid:'.length);
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** Replaces the Content-IDs of known attachments. */
export const withAttachments = (safe: string, idOf: (contentId: string) => string | undefined): string =>
  safe.replaceAll(/<img data-cid="([^"<>]*)"/g, (found, escaped: string) => {
    const id = idOf(escaped.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity]!));
    return id === undefined ? found : `<img ${ATTACHMENT}="${id}"`;
  });

/** Sets the URL of each attached picture. */
export const withAttachedPictures = (safe: string, addressOf: (id: string) => string): string =>
  safe.replaceAll(
    /<img data-attachment="([0-9a-f-]{36})"/g,
    (_, id: string) => `<img loading="lazy" src="${addressOf(id)}"`,
  );
