import type { MigrationInterface, QueryRunner } from '#libs/database';

/** A claim and a handover change no indexed column, so they write no index. */
export class LeaseMails1795651304000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table outgoing_mails add column leased_until timestamptz;
      update outgoing_mails set leased_until = due_at, due_at = queued_at where state = 'queued' and lease is not null;
      drop index outgoing_mails_handed_over_idx, outgoing_mails_lane_idx;
      create index outgoing_mails_lane_idx on outgoing_mails (lane, due_at) where state = 'queued';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update outgoing_mails set due_at = leased_until where state = 'queued' and lease is not null;
      alter table outgoing_mails drop column leased_until;
      drop index outgoing_mails_lane_idx;
      create index outgoing_mails_lane_idx on outgoing_mails (lane, due_at)
        where state = 'queued' and handed_over_at is null;
      create index outgoing_mails_handed_over_idx on outgoing_mails (due_at)
        where state = 'queued' and handed_over_at is not null;
    `);
  }
}
