import { systemStatement } from '#libs/database';
import type { SealedTable } from '#libs/secret-box';

const REASON = 'Keys seal the secrets of every account';

export const SEALED_AUTHENTICATORS: SealedTable = {
  samples: systemStatement(
    'sealed_authenticator_samples',
    REASON,
    `select distinct on (key_id) agent_id as id, agent_id as owner, sealed, key_id as "keyId",
       count(*) over (partition by key_id)::int as count
     from authenticators order by key_id, agent_id`,
  ),
  others: systemStatement(
    'sealed_authenticators_others',
    REASON,
    `select agent_id as id, agent_id as owner, sealed, key_id as "keyId" from authenticators
     where key_id <> $1 and agent_id > $2 order by agent_id limit 500`,
  ),
  reseal: systemStatement(
    'sealed_authenticator_reseal',
    REASON,
    'update authenticators set sealed = $2, key_id = $3 where agent_id = $1 and sealed = $4 and key_id = $5',
  ),
};
