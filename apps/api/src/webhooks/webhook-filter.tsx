import type { FilterPreview } from '#libs/webhooks';
import { usePageContext } from '../layers/ui/page-context.js';
import type { FormState, PageContent } from '../layers/ui/page-response.js';
import { Field } from '../layers/ui/parts/fields.js';

export function FilterField({ value }: { value?: string | null }) {
  const { result } = usePageContext().form;
  return (
    <>
      <Field
        label="Filter"
        name="filter"
        value={value ?? ''}
        placeholder="tag:vip -mailbox:billing"
        hint="Optional. Tickets must match all of tag:, mailbox:, priority:, assignee:, group: and is:, for example is:opened. A - excludes."
      />
      {result && <p role="status">{result}</p>}
    </>
  );
}

/** Stands behind the button that saves, which Enter presses. */
export const PreviewButton = () => (
  <button type="submit" name="preview" value="yes">
    Preview
  </button>
);

/** Shows the form again with what its filter matches. */
export const withPreview = (page: PageContent, values: FormState['values'], preview: FilterPreview): PageContent => ({
  ...page,
  form: { values, result: `Would have sent ${inWords(preview.matched)} of the last ${inWords(preview.of)}.` },
});

const inWords = (count: number): string => count.toLocaleString('en');
