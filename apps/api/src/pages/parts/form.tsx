import type { FieldError } from '#libs/entities';
import type { ComponentChildren } from 'preact';
import { usePageContext } from '../page-context.js';
import { NoticeBox } from './indicators.js';

interface FormProps {
  readonly action: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly id?: string;
  readonly label?: string;
  /** Ids of the parts that it changes. With a script only these are swapped. */
  readonly swap?: string;
  /** It has a field for files. */
  readonly files?: boolean;
}

/** A real form with a real POST, which works without a script. */
export function Form({ action, children, class: className, id, label, swap, files = false }: FormProps) {
  const { csrf } = usePageContext().me;
  return (
    <form
      method="post"
      action={action}
      class={className}
      id={id}
      aria-label={label}
      enctype={files ? 'multipart/form-data' : undefined}
      {...(swap !== undefined && swapAttributes(action, swap))}
    >
      <input type="hidden" name="csrf" value={csrf} />
      {children}
    </form>
  );
}

/** The composer must be empty after sending. All other parts keep what somebody is doing in them. */
const swapStyle = (id: string): string => (id === 'composer' ? 'outerHTML' : 'outerMorph');

/** The whole next page is loaded, and these parts are taken from it. */
function swapAttributes(action: string, swap: string): object {
  const [first = '', ...others] = swap.split(' ');
  return {
    'hx-post': action,
    'hx-target': `#${first}`,
    'hx-select': `#${first}`,
    'hx-swap': swapStyle(first),
    'hx-select-oob': others.map((id) => `#${id}:${swapStyle(id)}`).join(','),
  };
}

interface ActionButtonProps {
  readonly to: string;
  readonly label: ComponentChildren;
  readonly fields?: Readonly<Record<string, string>>;
  readonly class?: string;
  readonly swap?: string;
  readonly title?: string;
}

/** One button that does one thing. */
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

/** The error above a form. */
export function FormAlert({ children }: { readonly children: string | null }) {
  return children ? (
    <NoticeBox tone="bad" role="alert">
      {children}
    </NoticeBox>
  ) : null;
}

export type FieldErrors = readonly FieldError[];

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly children?: (attributes: ControlAttributes) => ComponentChildren;
  readonly hint?: string;
  readonly faults?: FieldErrors;
  readonly value?: string;
  /** What was typed into the form, by the names of its fields. */
  readonly values?: Readonly<Record<string, string>>;
  readonly type?: 'text' | 'email' | 'url' | 'password' | 'search' | 'number' | 'datetime-local';
  readonly required?: boolean;
  readonly autocomplete?: string;
  readonly placeholder?: string;
}

export interface ControlAttributes {
  readonly id: string;
  readonly name: string;
  readonly required?: boolean;
  readonly 'aria-invalid'?: 'true';
  readonly 'aria-describedby'?: string;
}

/** A label, control, hint and error that belong together. Without children it is a text input. */
export function Field(props: FieldProps) {
  const { label, name, children, hint, faults = [], required } = props;
  const id = `f-${name}`;
  const fault = faults.find(({ field }) => field === name)?.message;
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  const attributes: ControlAttributes = {
    id,
    name,
    ...(required && { required }),
    ...(fault && { 'aria-invalid': 'true' as const }),
    ...(described && { 'aria-describedby': described }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children ? children(attributes) : <TextInput {...props} attributes={attributes} />}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

/** Spread, because the JSX types allow different attributes for each type of input. */
export const inputType = (type: string): object => ({ type });

function TextInput({
  attributes,
  values,
  value = values?.[attributes.name],
  type = 'text',
  autocomplete,
  placeholder,
}: FieldProps & { attributes: ControlAttributes }) {
  return (
    <input
      {...attributes}
      {...inputType(type)}
      value={value ?? ''}
      autocomplete={autocomplete}
      placeholder={placeholder}
    />
  );
}

interface LabelledInputProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly type?: 'text' | 'email';
}

/** For pages with several forms of the same fields. The label contains its input, so that no id is used twice. */
export function LabelledInput({ label, name, value, type = 'text' }: LabelledInputProps) {
  return (
    <label class="field">
      {label}
      <input name={name} {...inputType(type)} value={value} required autocomplete="off" />
    </label>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export const toChoices = (values: readonly string[]): Choice[] => values.map((value) => ({ value, label: value }));

export function SelectOptions({ choices, chosen }: { choices: readonly Choice[]; chosen: string | null }) {
  return (
    <>
      {choices.map(({ value, label }) => (
        <option value={value} selected={value === (chosen ?? '')} key={value}>
          {label}
        </option>
      ))}
    </>
  );
}
