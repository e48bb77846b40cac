import { accountStatement, filter } from '#libs/database';

export const SET_LIST_DENSITY = accountStatement(
  'list_density_set',
  `update agents set compact_list = $3 where id = $2 and ${filter('account_id = $1')}`,
);

export const READ_PREFERENCES = accountStatement(
  'preferences_read',
  `select ac.time_zone as "accountTimeZone", a.time_zone as "ownTimeZone", a.signature, a.mail_replies as "mailReplies"
   from agents a join accounts ac on ac.id = a.account_id where a.id = $2 and ${filter('a.account_id = $1')}`,
);

export const SET_OWN_TIME_ZONE = accountStatement(
  'time_zone_set_own',
  `update agents set time_zone = $3 where id = $2 and ${filter('account_id = $1')}`,
);

export const SET_TIME_ZONE = accountStatement(
  'time_zone_set',
  'update accounts set time_zone = $2 where id = $1 and time_zone <> $2 returning 1',
);

export const SET_UNDO_SENDING = accountStatement(
  'undo_sending_set',
  'update accounts set undo_send_seconds = $2 where id = $1 and undo_send_seconds <> $2 returning 1',
);
