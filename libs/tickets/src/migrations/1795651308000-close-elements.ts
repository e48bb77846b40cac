import type { MigrationInterface, QueryRunner } from '#libs/database';

/** Few, because each body has up to 500,000 characters. */
const BATCH = 50;

const NOTHING = '</nothing>';

/**
 * After a picture that was removed, the sanitizer wrote `</nothing>` as the next closing tag of the same depth. Rendering
 * again would lose the link between pictures and attachments.
 */
export class CloseElements1795651308000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    let last = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows: { id: string; html: string }[] = await runner.query(
        `select id, safe_html as html from messages where id > $1 and safe_html like '%${NOTHING}%' order by id limit ${BATCH}`,
        [last],
      );
      for (const { id, html } of rows)
        await runner.query(
          'update messages set safe_html = $2, shown_as = case when $2::text is not null then shown_as end where id = $1',
          [id, repaired(html)],
        );
      if (rows.length < BATCH) return;
      last = rows.at(-1)!.id;
    }
  }

  async down(): Promise<void> {
    // The earlier version can show repaired messages.
  }
}

/**
 * Goes from the end to the beginning, so that each opening tag takes the next closing tag. After `<br />` the sanitizer may
 * have written one that closes nothing. Returns null if the tags do not match: then the body is rendered again.
 */
function repaired(html: string): string | null {
  const parts = html.split(/(<[^<>]*>)/);
  const ends: { readonly at: number; readonly tag: string; readonly isSpare: boolean }[] = [];
  for (let at = parts.length - 2; at > 0; at -= 2) {
    const tag = parts[at]!;
    if (tag.startsWith('</')) {
      const isAfterVoid = parts[at - 1] === '' && parts[at - 2]?.endsWith('/>') === true;
      ends.push({ at, tag, isSpare: tag === NOTHING && isAfterVoid });
    } else if (!tag.endsWith('/>')) {
      const end = `</${/[a-z]+/.exec(tag)![0]}>`;
      const certain = ends.findLast(({ isSpare }) => !isSpare);
      if (certain?.tag === end) ends.length = ends.indexOf(certain) + 1;
      const taken = ends.pop();
      if (taken?.tag !== end && taken?.tag !== NOTHING) return null;
      parts[taken.at] = end;
    }
  }
  return ends.every(({ isSpare }) => isSpare) ? parts.join('').replaceAll(NOTHING, '') : null;
}
