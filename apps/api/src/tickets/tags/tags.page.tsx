import type { Counted } from '#libs/lists';
import { PageLayout } from '../../layers/shell/shell.js';
import { Field } from '../../layers/ui/parts/fields.js';
import { Form, FormAlert, HiddenFields } from '../../layers/ui/parts/form.js';
import { EmptyState } from '../../layers/ui/parts/indicators.js';
import { COUNTED_TICKETS } from '../inbox/ticket-choices.statements.js';
import { inboxPath, parseInboxQuery } from '../inbox-query.js';

export const TAGS_PATH = '/settings/tags';

export type CountedTag = Readonly<{ name: string; count: number }>;

/** `others` have the new name already. */
type Rename = Readonly<{ tag: string; to: string; found: Counted; others: Counted }>;

export const renamePath = (tag: string, to = ''): string =>
  `${TAGS_PATH}?${new URLSearchParams({ tag, to }).toString()}#rename`;

const INTRO = `Counts cover the ${COUNTED_TICKETS.toLocaleString('en')} tickets that changed last. Renaming covers all tickets, also closed ones.`;

export function TagsPage({ tags, rename }: { tags: readonly CountedTag[]; rename: Rename }) {
  return (
    <PageLayout title="Tags" narrow intro={INTRO}>
      <FormAlert />
      {tags.length === 0 && <EmptyState title="No tags yet" text="Add tags to tickets to find them again." />}
      <section class="card stack" aria-label="Rename a tag" id="rename">
        <form action={TAGS_PATH} class="stack">
          <Field label="Tag" name="tag" required autocomplete="off" />
          <Field
            label="New name"
            name="to"
            required
            autocomplete="off"
            hint="If another tag has this name, the two are merged."
          />
          <button type="submit">Continue</button>
        </form>
        {rename.tag && rename.to && <ConfirmRename {...rename} />}
      </section>
      {tags.length > 0 && (
        <ul class="card stack" aria-label="Tags">
          {tags.map(({ name, count }) => (
            <li class="row apart nowrap" key={name}>
              <a class="break" dir="auto" href={inboxPath(parseInboxQuery({ folder: 'open', tag: name }))}>
                {name}
              </a>
              <span class="row nowrap">
                <span class="count">{count.toLocaleString('en')}</span>
                <a class="button slim" href={renamePath(name)} aria-label={`Rename ${name}`}>
                  Rename
                </a>
              </span>
            </li>
          ))}
        </ul>
      )}
    </PageLayout>
  );
}

function ConfirmRename({ tag, to, found, others }: Rename) {
  return (
    <Form action={TAGS_PATH} class="stack" label="Confirm">
      <HiddenFields fields={{ tag, to }} />
      <p dir="auto">{`Rename “${tag}” to “${to}” on ${many(found)}.`}</p>
      {others.total > 0 && <p>{`“${to}” is already on ${many(others)}. The two tags become one.`}</p>}
      <button type="submit" class="primary">
        Rename
      </button>
    </Form>
  );
}

const many = ({ total, capped }: Counted): string =>
  total === 1 ? '1 ticket' : `${total.toLocaleString('en')}${capped ? '+' : ''} tickets`;
