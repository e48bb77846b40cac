const SIGNED = [
  'webhook-id',
  'webhook-timestamp',
  'webhook-event',
  'webhook-test',
  'webhook-account',
  'webhook-endpoint',
];

/** The text of `dw1` before the body, for the sender and the receiver. */
export const signedHead = (header: (name: string, absent?: string) => string): string =>
  ['dw1', ...SIGNED.map((name) => header(name, name === 'webhook-test' ? 'false' : undefined)), ''].join('\n');
