import type { Message } from '#libs/entities';
import { addressKey, withoutTag } from '#libs/tickets';

/** Addresses shown below a message. A longer list is folded. */
const MAX_SHOWN = 4;

interface RecipientsLineProps {
  readonly message: Pick<Message, 'toAddresses' | 'ccAddresses'>;
  /** The customer and the mailbox of the ticket. A message to them alone shows no recipients. */
  readonly usual: readonly string[];
}

/** The recipients of a message. */
export function RecipientsLine({ message: { toAddresses: to, ccAddresses: cc }, usual }: RecipientsLineProps) {
  const known = new Set(usual.map(addressKey));
  const isUsual = (address: string): boolean =>
    known.has(addressKey(address)) || known.has(addressKey(withoutTag(address)));
  if (cc.length === 0 && to.every(isUsual)) return null;
  if (to.length + cc.length <= MAX_SHOWN)
    return (
      <p class="recipients-line">
        <Lists to={to} cc={cc} />
      </p>
    );
  return (
    <details class="recipients-line">
      <summary>{`To ${shortened(to)}${cc.length > 0 ? ` · Cc ${shortened(cc)}` : ''}`}</summary>
      <Lists to={to} cc={cc} />
    </details>
  );
}

function Lists({ to, cc }: { readonly to: readonly string[]; readonly cc: readonly string[] }) {
  return (
    <>
      {to.length > 0 && <span>{`To: ${to.join(', ')}`}</span>}
      {cc.length > 0 && <span>{`Cc: ${cc.join(', ')}`}</span>}
    </>
  );
}

const shortened = ([first = 'nobody', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} and ${others.length} more`;
