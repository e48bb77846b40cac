/** Where safe HTML names a picture that came with its mail (RFC 2392), and then the attachment that it is. */
export const CONTENT_ID = 'data-cid';
const ATTACHMENT = 'data-attachment';

/** What an address such as `cid:logo@client.test` names, or null. */
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

/** With the attachments in place of the names that are known. `idOf` tells the id of one that can be shown. */
export const withAttachments = (safe: string, idOf: (contentId: string) => string | undefined): string =>
  safe.replaceAll(/<img data-cid="([^"<>]*)"/g, (found, escaped: string) => {
    const id = idOf(escaped.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity]!));
    return id === undefined ? found : `<img ${ATTACHMENT}="${id}"`;
  });

/** For a page: each of them at its address. */
export const withAttachedPictures = (safe: string, addressOf: (id: string) => string): string =>
  safe.replaceAll(
    /<img data-attachment="([0-9a-f-]{36})"/g,
    (_, id: string) => `<img loading="lazy" src="${addressOf(id)}"`,
  );
