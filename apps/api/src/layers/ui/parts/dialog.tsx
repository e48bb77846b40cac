import type { ComponentChildren } from 'preact';
import { Form, HiddenFields, SubmitButton } from './form.js';

interface DialogProps {
  readonly id: string;
  readonly opener: ComponentChildren;
  readonly openerClass?: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Opened by `commandfor`, without a script. */
export function Dialog({ id, opener, openerClass, title, children }: DialogProps) {
  return (
    <>
      <button type="button" class={openerClass} {...command(id, 'show-modal')} aria-haspopup="dialog">
        {opener}
      </button>
      <dialog id={id} aria-labelledby={`${id}-title`}>
        <div class="stack">
          <h2 id={`${id}-title`}>{title}</h2>
          {children}
        </div>
      </dialog>
    </>
  );
}

interface ConfirmDialogProps extends Omit<DialogProps, 'opener'> {
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly verb: string;
  readonly what?: string;
  readonly inputs?: ComponentChildren;
}

/** `fields` are hidden, `inputs` are shown inside the form, `children` above it. */
export function ConfirmDialog({ action, fields = {}, verb, what, inputs, children, ...dialog }: ConfirmDialogProps) {
  return (
    <Dialog opener={`${verb}…`} openerClass="slim danger" {...dialog}>
      {children}
      <Form action={action} class="stack">
        <HiddenFields fields={fields} />
        {inputs}
        <div class="row">
          <SubmitButton class="danger">{what ? `${verb} ${what}` : verb}</SubmitButton>
          <CancelButton dialog={dialog.id} />
        </div>
      </Form>
    </Dialog>
  );
}

interface DeleteDialogProps extends Omit<ConfirmDialogProps, 'title' | 'action' | 'verb'> {
  readonly name: string;
  readonly path: string;
}

export const DeleteDialog = ({ name, path, ...dialog }: DeleteDialogProps) => (
  <ConfirmDialog title={`Delete ${name}?`} action={`${path}/delete`} verb="Delete" {...dialog} />
);

export function CancelButton({ dialog }: { dialog: string }) {
  return (
    <button type="button" {...command(dialog, 'close')}>
      Cancel
    </button>
  );
}

/** To spread, because the JSX types do not have these attributes yet. */
const command = (target: string, name: 'show-modal' | 'close'): object => ({ commandfor: target, command: name });
