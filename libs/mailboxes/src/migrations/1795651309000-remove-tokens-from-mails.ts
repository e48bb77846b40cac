import type { MigrationInterface, QueryRunner } from '#libs/database';

const TOKEN = String.raw`(?:\+|%2b|&#(?:43|x2b);)(?:(?:[1-9]\d{0,8}|b)\.[0-9a-v]{16}|a[1-9]\d{0,8}\.[0-9a-v]{24})(@|%40|&#(?:64|x40);)`;

/** Tables with what mails contained. Text that callers wrote over the API stays as it is. */
const TEXTS = [
  ['messages', 'id in (select message_id from arrivals)', ['body', 'plain_text_body', 'safe_html']],
  ['attachments', 'message_id in (select message_id from arrivals)', ['name']],
  ['tickets', 'id in (select ticket_id from arrivals)', ['title', 'summary']],
  ['arrivals', 'true', ['subject', 'preview']],
  ['outgoing_mails', 'true', ['reason']],
] as const;

/**
 * Removes the tokens of signed addresses from older mails. Finds the rows before it writes, because a transaction that
 * has written delays feeds of events and changes. An encoded address stands beside a plain one, and `like` is fast.
 */
export class RemoveTokensFromMails1795651309000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const found: { id: string }[][] = [];
    for (const [table, condition, columns] of TEXTS) {
      const tests = columns.map((column) => `${column} like '%+%' and ${column} ~* '${TOKEN}'`).join(' or ');
      found.push(await runner.query(`select id from ${table} where ${condition} and (${tests})`));
    }
    for (const [at, [table, , columns]] of TEXTS.entries()) {
      const changes = columns.map((column) => `${column} = regexp_replace(${column}, '${TOKEN}', '\\1', 'gi')`);
      const ids = found[at]!.map(({ id }) => id);
      await runner.query(`update ${table} set ${changes.join(', ')} where id = any($1::uuid[])`, [ids]);
    }
  }

  async down(): Promise<void> {
    // The tokens are gone.
  }
}
