import type { Operation } from '#test/support/openapi-operations.js';
import type { OwnWords } from './requests.js';
import { SHARED } from './twins.js';

/** Names records of the caller’s account; `ids` has one per table. An unknown path parameter fails the test. */
export function ownWordsFrom(ids: Readonly<Record<string, string>>): OwnWords {
  return ({ method, path, inPath }: Operation) => {
    const resource = path.split('/')[2]!;
    const spare = method === 'DELETE';
    const known: Record<string, string | undefined> = {
      number: path.endsWith('/restore') ? SHARED.deletedNumber : SHARED.numbers[0],
      email: resource === 'agents' ? SHARED.agent : spare ? SHARED.spareCustomer : SHARED.customer,
      tag: SHARED.tag,
      mailbox_id: SHARED.mailbox,
      key: 'own',
      id: ownIdOf(path, spare, ids) ?? ids[resource],
    };
    return inPath.map(({ name }) => {
      if (!known[name]) throw new Error(`Nothing is known that {${name}} of ${path} could name`);
      return known[name];
    });
  };
}

/** Prefers a record that no other operation needs. */
function ownIdOf(path: string, spare: boolean, ids: Readonly<Record<string, string>>): string | undefined {
  const [resource = '', , action = ''] = path.split('/').slice(2);
  if (resource === 'arrivals') return ids[action];
  if (resource === 'mailboxes')
    return ['raw', 'smtp'].includes(action) || (action === 'imap' && !spare) ? SHARED.mailbox : SHARED.spareMailbox;
  return resource === 'groups' ? SHARED.spareGroup : undefined;
}
