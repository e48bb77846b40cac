import type { AuthorisedApplication } from '#libs/access';
import type { Scope } from '#libs/entities';
import { NoticeBox, Pill } from '../ui/parts/indicators.js';

export const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  read: 'read',
  write: 'change tickets and customers',
  webhooks: 'manage its webhooks',
  admin: 'manage people and settings',
};

type Granted = Pick<AuthorisedApplication, 'scopes' | 'recordsWithoutRead'>;

export function Permissions({ scopes, recordsWithoutRead }: Granted) {
  return (
    <>
      {scopes.map((scope) => SCOPE_LABELS[scope]).join(', ')}{' '}
      {recordsWithoutRead && <Pill tone="warn">receives records</Pill>}
    </>
  );
}

export function RecordsNotice({ granted }: { granted: readonly Granted[] }) {
  if (!granted.some(({ recordsWithoutRead }) => recordsWithoutRead)) return null;
  return (
    <NoticeBox tone="warn">
      <p>
        <strong>Receives records</strong> without the permission to read: webhooks send it tickets, messages, internal
        notes and customers. New access needs that permission. Revoke this access if it should not.
      </p>
    </NoticeBox>
  );
}
