import type { Delivery } from '#libs/entities';
import { PageLayout } from '../layers/shell/shell.js';
import { usePageContext } from '../layers/ui/page-context.js';
import { FilterForm, PeriodSelect } from '../layers/ui/parts/filters.js';
import { FormAlert, HiddenFields } from '../layers/ui/parts/form.js';
import { NothingMatches } from '../layers/ui/parts/indicators.js';
import type { Column } from '../layers/ui/parts/table.js';
import {
  DeliveriesTable,
  EventSelect,
  type ListedDeliveries,
  StandingSelect,
  deliveryColumns,
} from './delivery-parts.js';
import { DELIVERIES, hostOf, webhookPath } from './webhook-paths.js';

export interface DeliveriesView extends ListedDeliveries {
  readonly filters: Readonly<Record<string, string>>;
}

export function DeliveriesPage({ view }: { view: DeliveriesView }) {
  return (
    <PageLayout title="Deliveries" watch="deliveries" intro="Events sent to webhooks, with the result of each.">
      <FormAlert />
      <Filters filters={view.filters} />
      <div>
        <DeliveriesTable view={view} columns={[WEBHOOK, ...deliveryColumns(view)]}>
          <NothingMatches title="No delivery matches" href={DELIVERIES} label="Show all deliveries" />
        </DeliveriesTable>
      </div>
    </PageLayout>
  );
}

const WEBHOOK: Column<Delivery> = {
  name: 'Webhook',
  plain: true,
  class: 'break what',
  cell: ({ webhookId, kind, webhook }) => (
    <>
      <a href={webhookPath(webhookId)}>{webhook?.name ?? kind}</a>{' '}
      {webhook && <span class="quiet">to {hostOf(webhook.url)}</span>}
    </>
  ),
};

/** After a refusal, shows what was typed. */
function Filters({ filters }: Pick<DeliveriesView, 'filters'>) {
  const { webhook, event, standing, ticket, last_status, since } = { ...filters, ...usePageContext().form.values };
  return (
    <FilterForm action={DELIVERIES} label="Filter deliveries">
      {webhook && <HiddenFields fields={{ webhook }} />}
      <EventSelect chosen={event ?? null} />
      <StandingSelect chosen={standing ?? null} />
      <FilterInput
        name="ticket"
        label="Ticket number"
        placeholder="Ticket"
        size={8}
        value={ticket}
        inputMode="numeric"
      />
      <FilterInput name="last_status" label="Last status" placeholder="404 or 5xx" size={12} value={last_status} />
      <PeriodSelect since={since ?? null} />
    </FilterForm>
  );
}

interface FilterInputProps extends Record<'name' | 'label' | 'placeholder', string> {
  readonly size: number;
  readonly value: string | undefined;
  readonly inputMode?: 'numeric';
}

const FilterInput = ({ label, ...input }: FilterInputProps) => <input {...input} class="slim fit" aria-label={label} />;
