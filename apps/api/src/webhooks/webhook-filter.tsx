import type { Webhook } from '#libs/entities';
import type { FilterPreview } from '#libs/webhooks';
import { Field } from '../layers/ui/parts/fields.js';
import { Form } from '../layers/ui/parts/form.js';
import { webhookPath } from './webhook-paths.js';

export interface ShownPreview extends FilterPreview {
  readonly event: string;
}

interface FilterProps {
  readonly value?: string | null;
  readonly previews?: readonly ShownPreview[] | undefined;
}

export function FilterField({ value, previews = [] }: FilterProps) {
  return (
    <>
      <Field
        label="Filter"
        name="filter"
        value={value ?? ''}
        placeholder="tag:vip -mailbox:billing"
        hint="Optional. Sends only events of tickets that match all of tag:, mailbox:, priority:, assignee:, group: and is:. A - excludes."
      />
      {previews.map((preview) => (
        <p role="status" key={preview.event}>
          {previews.length > 1 && <code>{preview.event}</code>} {previewText(preview)}
        </p>
      ))}
    </>
  );
}

const previewText = ({ matched, of }: FilterPreview): string =>
  of === 0 ? 'No event of this kind so far.' : `Would have sent ${counted(matched)} of the last ${counted(of)}.`;

const counted = (count: number): string => count.toLocaleString('en');

/** Stands behind the button that saves, which Enter presses. */
export const PreviewButton = () => (
  <button type="submit" name="preview" value="yes" formNoValidate>
    Preview
  </button>
);

export function WebhookFilterForm({ webhook, previews }: Pick<FilterProps, 'previews'> & { webhook: Webhook }) {
  return (
    <Form action={`${webhookPath(webhook.id)}/filter`} class="stack" id="filter" label="Filter" swap="filter toasts">
      <FilterField value={webhook.filter} previews={previews} />
      <div class="row">
        <button type="submit">Save filter</button>
        <PreviewButton />
      </div>
    </Form>
  );
}
