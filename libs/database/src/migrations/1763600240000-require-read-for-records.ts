import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Registering a webhook and reading a delivery need the scope `read` from now on. Access that was given before keeps
 * working, and the people who can revoke it get one mail.
 */
export class RequireReadForRecords1763600240000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table grants add records_without_read boolean not null default false');
    await runner.query(`
      with exempt as (
        update grants set records_without_read = true
        where revoked_at is null and scopes && '{webhooks,admin}' and not scopes @> '{read}' returning *
      ), given as (
        select e.account_id, e.agent_id, case when p.id is null
            then format('%s (personal access token of %s)', e.name, a.email)
            else format('%s (access given by %s)', p.name, a.email) end as access
        from exempt e join agents a on a.id = e.agent_id left join applications p on p.id = e.application_id
        where a.state = 'active' and (
          exists (select from tokens t where t.grant_id = e.id and t.consumed_at is null and t.expires_at > now())
          or exists (select from webhooks w where w.account_id = e.account_id and w.grant_id = e.id and w.state <> 'disabled'))
      )
      insert into outgoing_mails (id, account_id, lane, kind, state, recipient, detail, due_at, queued_at)
      select new_uuid_at(now()), a.account_id, a.account_id, 'access_notice', 'queued', a.email,
        jsonb_build_object('role', a.role, 'access', string_agg(distinct g.access, E'\\n' order by g.access)), now(), now()
      from given g join agents a on a.account_id = g.account_id and a.state = 'active'
        and (a.role in ('owner', 'admin') or a.id = g.agent_id)
      group by a.id
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("delete from outgoing_mails where kind = 'access_notice'");
    await runner.query('alter table grants drop records_without_read');
  }
}
