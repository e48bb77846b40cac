import { isMailAddress } from './mail-addresses.js';
import type { MailAddress } from './mail.js';

/** Stub. */
export function forwardedSender({ subject, text }: { readonly subject: string; readonly text: string }) {
  const [, name = '', address = ''] = /^From: *([^<\n]*?)<?([^\s<>]+@[^\s<>]+)>?$/m.exec(text) ?? [];
  return /^fwd?:/i.test(subject) && isMailAddress(address) ? ({ address, name } satisfies MailAddress) : null;
}
