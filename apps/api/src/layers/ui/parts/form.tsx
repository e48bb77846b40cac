import { randomUUID } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { FORM_KEY } from '../form-fields.js';
import { usePageContext } from '../page-context.js';
import { NoticeBox } from './indicators.js';

interface FormProps {
  readonly action: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly id?: string;
  readonly label?: string;
  /** Ids of the parts to swap, or `inherited` inside an element with `inheritedSwap`. Without a script, the page is loaded. */
  readonly swap?: string;
  readonly files?: boolean;
  /** `off` if a reload would restore values that differ from those of the server. */
  readonly autocomplete?: 'off';
}

export function Form({ action, children, class: className, id, label, swap, files = false, autocomplete }: FormProps) {
  const page = usePageContext();
  return (
    <form
      method="post"
      action={action}
      class={className}
      id={id}
      aria-label={label}
      autocomplete={autocomplete}
      enctype={files ? 'multipart/form-data' : undefined}
      {...(swap !== undefined && swapAttributes(action, swap))}
    >
      <input type="hidden" name="csrf" value={page.me.csrf} />
      <input type="hidden" name={FORM_KEY} value={newFormKey(page)} />
      {children}
    </form>
  );
}

/** The composer must be empty after sending. Other parts keep their open menus and typed text. */
const swapStyle = (id: string): string => (id === 'composer' ? 'outerHTML' : 'outerMorph');

const keys = new WeakMap<object, { readonly random: string; forms: number }>();

/** Random once for each page, because random text does not compress. */
function newFormKey(page: object): string {
  const key = keys.get(page) ?? { random: randomUUID(), forms: 0 };
  keys.set(page, key);
  key.forms += 1;
  return `${key.random}-${key.forms}`;
}

const swapAttributes = (action: string, swap: string): object => ({
  'hx-post': action,
  ...(swap !== 'inherited' && partsToSwap(swap)),
});

/** htmx loads the whole next page and takes these parts from it. */
function partsToSwap(swap: string): object {
  const [first = '', ...others] = swap.split(' ');
  return {
    'hx-target': `#${first}`,
    'hx-select': `#${first}`,
    'hx-swap': swapStyle(first),
    'hx-select-oob': others.map((id) => `#${id}:${swapStyle(id)}`).join(','),
  };
}

/** Spares the forms in an element a copy of the same attributes each. */
export const inheritedSwap = (swap: string): object =>
  Object.fromEntries(Object.entries(partsToSwap(swap)).map(([name, value]) => [`${name}:inherited`, value]));

export function SubmitButton(props: { class?: 'primary' | 'slim' | 'danger'; children: ComponentChildren }) {
  return (
    <button type="submit" class={props.class ?? 'primary'}>
      {props.children}
    </button>
  );
}

interface ActionButtonProps {
  readonly to: string;
  readonly label: ComponentChildren;
  readonly fields?: Readonly<Record<string, string>>;
  readonly class?: string;
  readonly swap?: string;
  readonly title?: string;
}

export function ActionButton({ to, label, fields = {}, class: className, swap, title }: ActionButtonProps) {
  return (
    <Form action={to} {...(swap !== undefined && { swap })}>
      <HiddenFields fields={fields} />
      <button type="submit" class={className} title={title} aria-label={title}>
        {label}
      </button>
    </Form>
  );
}

export function HiddenFields({ fields }: { fields: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} key={name} />
      ))}
    </>
  );
}

export function FormAlert() {
  const { error } = usePageContext().form;
  return error ? (
    <NoticeBox tone="bad" role="alert">
      {error}
    </NoticeBox>
  ) : null;
}
