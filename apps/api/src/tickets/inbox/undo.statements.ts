import { accountStatement, filter } from '#libs/database';

/** Also deletes expired rows. */
export const KEEP_UNDO = accountStatement(
  'bulk_undo_keep',
  `with gone as (delete from bulk_undos where account_id = $1 and created_at < $6)
   insert into bulk_undos (id, account_id, agent_id, former, created_at) values ($2, $1, $3, $4, $5)`,
);

export const READ_UNDO = accountStatement(
  'bulk_undo_read',
  `select former from bulk_undos where id = $2 and ${filter('account_id = $1 and agent_id = $3 and created_at >= $4')}`,
);
