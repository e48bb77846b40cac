/** What windows-1252 has from 0x80 to 0x9f; ISO 8859-1 has control characters there, which no mail means. */
const UPPER_CONTROLS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Node 20 itself decodes windows-1252 as ISO 8859-1, so that quotation marks and euro signs are lost. */
export const decodeWindows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replaceAll(/[\u0080-\u009f]/g, (sign) => UPPER_CONTROLS[sign.charCodeAt(0) - 0x80]!);
