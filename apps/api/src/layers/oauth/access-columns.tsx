import { SCOPES, type Scope } from '#libs/entities';
import { RelativeTime } from '../ui/parts/relative-time.js';
import type { Column } from '../ui/parts/table.js';
import { SCOPE_TEXTS, permissionsOf } from '#libs/access';

export const TimeOrNever = ({ at }: { at: Date | null }) =>
  at ? <RelativeTime at={at} /> : <span class="quiet">never</span>;

export const PERMISSIONS: Column<{ readonly scopes: readonly Scope[] }> = {
  name: 'Permissions',
  cell: ({ scopes }) => permissionsOf(scopes),
};

export const SINCE: Column<{ readonly since: Date }> = {
  name: 'Since',
  cell: ({ since }) => <RelativeTime at={since} />,
};

export const EXPIRES: Column<{ readonly expiresAt: Date | null }> = {
  name: 'Expires',
  cell: ({ expiresAt }) => <TimeOrNever at={expiresAt} />,
};

export const LAST_USED: Column<{ readonly lastUsedAt: Date | null }> = {
  name: 'Last used',
  cell: ({ lastUsedAt }) => <TimeOrNever at={lastUsedAt} />,
};

export function ScopeChoices({ legend, chosen }: { legend: string; chosen: readonly string[] }) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {SCOPES.map((scope) => (
        <label class="check" key={scope}>
          <input type="checkbox" name="scope[]" value={scope} checked={chosen.includes(scope)} />
          <span>{SCOPE_TEXTS[scope].label}</span>
        </label>
      ))}
      <p class="quiet small">Registering webhooks and reading deliveries also require permission to read.</p>
    </fieldset>
  );
}
