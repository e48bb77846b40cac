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

export function withPreview(page: PageContent, values: FormState['values'], found: { matched: number; of: number }) {
  const result = `Would have sent ${inWords(found.matched)} of the last ${inWords(found.of)}.`;
  return { ...page, form: { values, result } };
}

const inWords = (count: number): string => count.toLocaleString('en');
