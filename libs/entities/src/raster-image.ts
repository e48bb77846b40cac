type Signature = (head: Buffer) => boolean;

const ascii =
  (text: string, offset = 0): Signature =>
  (head) =>
    head.toString('latin1', offset, offset + text.length) === text;

/**
 * Pictures that are only pictures: they hold no script and load nothing, unlike SVG. By what their bytes begin with
 * (https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern).
 */
const SIGNATURES: Readonly<Record<string, Signature>> = {
  'image/avif': (head) => ascii('ftyp', 4)(head) && (ascii('avif', 8)(head) || ascii('avis', 8)(head)),
  'image/gif': (head) => ascii('GIF87a')(head) || ascii('GIF89a')(head),
  'image/jpeg': ascii('\xff\xd8\xff'),
  'image/png': ascii('\x89PNG\r\n\x1a\n'),
  'image/webp': (head) => ascii('RIFF')(head) && ascii('WEBPVP', 8)(head),
};

/** Enough of a file to know it by. */
export const IMAGE_HEAD_BYTES = 16;

export const isRasterType = (contentType: string): boolean => Object.hasOwn(SIGNATURES, contentType);

/** Whether a file is what it says that it is. */
export const isRasterImage = (contentType: string, head: Buffer): boolean =>
  isRasterType(contentType) && SIGNATURES[contentType]!(head);
