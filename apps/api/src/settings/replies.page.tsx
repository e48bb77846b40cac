import { UNDO_SECONDS } from '#libs/entities';
import { SelectField } from '../ui/parts/fields.js';
import { Form, FormAlert } from '../ui/parts/form.js';
import { PageLayout } from '../shell/shell.js';

const CHOICES = UNDO_SECONDS.map((seconds) => ({
  value: String(seconds),
  label: seconds === 0 ? 'not at all' : `${seconds} seconds`,
}));

export function RepliesPage({ seconds }: { seconds: number }) {
  return (
    <PageLayout title="Replies" intro="How replies are sent from these pages." narrow>
      <FormAlert />
      <Form action="/settings/replies" class="card stack" label="Undo">
        <h2>Undo</h2>
        <p>A reply waits before it is sent. Until then its author can take it back, and nobody hears of it.</p>
        <SelectField label="A reply waits" name="seconds" choices={CHOICES} value={String(seconds)} />
        <p class="quiet">Notes, and what programs send, go at once.</p>
        <div>
          <button type="submit" class="primary">
            Save
          </button>
        </div>
      </Form>
    </PageLayout>
  );
}
