import { type InboxQuery, inboxPath, queryFacts, toSearchParams } from '../../shell/inbox-query.js';
import { PageLayout } from '../../shell/shell.js';
import type { TicketChoices } from '../../shell/ticket-choices.reader.js';
import { Form, FormAlert, HiddenFields } from '../../ui/parts/form.js';
import { EmptyState } from '../../ui/parts/indicators.js';
import { BulkActions } from './bulk-bar.js';

export interface WholeSearch {
  /** In the order of the list. */
  readonly numbers: readonly number[];
  /** The search finds more tickets than these. */
  readonly capped: boolean;
}

interface WholeSearchProps {
  readonly query: InboxQuery;
  readonly found: WholeSearch;
  readonly choices: TicketChoices;
}

/** The form lists the counted tickets, so tickets that match later are not changed. */
export function WholeSearchPage({ query, found: { numbers, capped }, choices }: WholeSearchProps) {
  const many = numbers.length === 1 ? '1 ticket' : `${numbers.length.toLocaleString('en')} tickets`;
  return (
    <PageLayout
      title="All of this search"
      section="/inbox"
      intro={<a href={inboxPath(query)}>← Back to the list</a>}
      narrow
    >
      <FormAlert />
      {numbers.length === 0 ? (
        <EmptyState title="No ticket matches" />
      ) : (
        <section class="card stack" aria-labelledby="whole-search">
          <h2 id="whole-search">{capped ? `The first ${many} of more` : many}</h2>
          <dl class="facts">
            {queryFacts(query).map(([name, value]) => (
              <>
                <dt key={name}>{name}</dt>
                <dd class="break">{value}</dd>
              </>
            ))}
          </dl>
          <p>{`The action applies to ${capped ? 'these' : 'all'} ${many}. You can undo it.`}</p>
          <Form action="/tickets/bulk" class="stack whole-search" label={many}>
            <HiddenFields fields={{ back: toSearchParams(query), tickets: numbers.join(',') }} />
            <BulkActions query={query} choices={choices} />
          </Form>
        </section>
      )}
    </PageLayout>
  );
}
