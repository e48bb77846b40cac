/** The value of a header, if the mail has it. */
export type HeaderOf = (name: string) => string | undefined;

const BULK = new Set(['bulk', 'junk', 'list', 'auto_reply', 'auto-reply']);

/**
 * Written by no person, as far as its headers tell: RFC 3834, and what came before it. Answering it, or waking somebody for
 * it, is how two programs write to each other all night.
 */
export function isAutomatic(headerOf: HeaderOf, envelopeFrom: string | null): boolean {
  const submitted = valueOf(headerOf('auto-submitted'));
  if (submitted !== '' && submitted !== 'no') return true;
  if (BULK.has(valueOf(headerOf('precedence')))) return true;
  if (headerOf('list-id') !== undefined || headerOf('x-auto-response-suppress') !== undefined) return true;
  return envelopeFrom === '' || headerOf('return-path')?.trim() === '<>';
}

/** Without the parameters and comments that may follow. */
const valueOf = (header: string | undefined): string => (header ?? '').split(/[;\s(]/, 1)[0]!.toLowerCase();
