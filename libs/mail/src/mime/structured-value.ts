import { Libmime } from 'libmime';
import { decodeCharset } from './charsets/decode-charset.js';
import { decodeQWord, decodeWords } from './encoded-words.js';

/** Example: `text/plain; charset=utf-8`. */
export interface StructuredValue {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Libmime with our charsets. Leaves encoded words to `textParameter`. */
class HeaderValues extends Libmime {
  override decodeWord(charset: string, _encoding: string, text: string): string {
    return decodeCharset(decodeQWord(text), charset);
  }

  override decodeWords(text: string): string {
    return text;
  }
}

const headerValues = new HeaderValues();

export function parseStructuredValue(text: string): StructuredValue {
  const { value, params } = headerValues.parseHeaderValue(withEscapedPaths(text), { stripComments: true });
  const parameters = Object.entries(params).filter(([, content]) => content !== '');
  return { value: value.toLowerCase(), parameters: new Map(parameters) };
}

/** Windows programs write `"C:\temp\a.txt"`: only a quote and a backslash are escaped. */
const withEscapedPaths = (text: string): string =>
  text.replaceAll(/\\(["\\])?/g, (found, sign) => (sign ? found : '\\\\'));

/** Many programs write encoded words there, which no standard allows. */
export function textParameter({ parameters }: StructuredValue, name: string): string | null {
  const value = parameters.get(name);
  return value === undefined || value.trim() === '' ? null : decodeWords(value).trim();
}
