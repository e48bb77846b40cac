import { MAX_ATTACHMENTS, MAX_ATTACHMENT_BYTES } from '#libs/entities';
import type { ComponentChildren } from 'preact';
import { usePageContext } from '../page-context.js';
import { Icon } from './icon.js';

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly children?: (attributes: object, value: string) => ComponentChildren;
  readonly hint?: string;
  /** The initial value, until the form is shown again with a typed one. */
  readonly value?: string;
  readonly type?: 'text' | 'email' | 'url' | 'password' | 'number';
  readonly required?: boolean;
  readonly autocomplete?: string;
  readonly placeholder?: string;
}

export function Field({ label, name, children, hint, value: initial = '', required, ...input }: FieldProps) {
  const { values, faults } = usePageContext().form;
  const id = `f-${name}`;
  const fault = faults.find(({ field }) => field === name)?.message;
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  const attributes = {
    id,
    name,
    ...(required && { required }),
    ...(fault && { 'aria-invalid': 'true' as const, autofocus: faults[0]!.field === name }),
    ...(described && { 'aria-describedby': described }),
  };
  const value = values[name] ?? initial;
  const { type = 'text', autocomplete, placeholder } = input;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children ? (
        children(attributes, value)
      ) : (
        <input
          {...attributes}
          {...inputType(type)}
          value={value}
          autocomplete={autocomplete}
          placeholder={placeholder}
          dir={type === 'text' ? 'auto' : undefined}
        />
      )}
      {hint && (
        <p class="quiet small" id={`${id}-hint`}>
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

/** To spread, because the JSX types allow different attributes for each type of input. */
const inputType = (type: string): object => ({ type });

export function SelectField({ choices, ...field }: Omit<FieldProps, 'children'> & { choices: readonly Choice[] }) {
  return (
    <Field {...field}>
      {(attributes, value) => (
        <select {...attributes}>
          <SelectOptions choices={choices} chosen={value} />
        </select>
      )}
    </Field>
  );
}

type LabelledInputProps = Omit<FieldProps, 'children' | 'hint' | 'autocomplete'>;

/** For pages that repeat a form: the label contains its input, so no id is used twice. */
export function LabelledInput({ label, name, value, type = 'text', required = true, placeholder }: LabelledInputProps) {
  return (
    <label class="field">
      {label}
      <input
        name={name}
        {...inputType(type)}
        value={value}
        required={required}
        placeholder={placeholder}
        autocomplete={type === 'password' ? 'new-password' : 'off'}
        dir={type === 'text' ? 'auto' : undefined}
      />
    </label>
  );
}

export interface ChoiceProps {
  readonly choices: readonly Choice[];
  readonly chosen: string | null | undefined;
}

export function LabelledSelect({ label, name, ...options }: ChoiceProps & { label: string; name: string }) {
  return (
    <label class="field">
      {label}
      <select name={name}>
        <SelectOptions {...options} />
      </select>
    </label>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export const toChoices = (values: readonly string[]): Choice[] => values.map((value) => ({ value, label: value }));

export const choicesOf = (labels: Readonly<Record<string, string>>): Choice[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

export function SelectOptions({ choices, chosen }: ChoiceProps) {
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

const MIB = 1024 * 1024;

export function FilesField({ iconOnly = false }) {
  return (
    <>
      <label class="files button plain" title={`At most ${MAX_ATTACHMENTS} files of ${MAX_ATTACHMENT_BYTES / MIB} MiB`}>
        <Icon name="clip" />
        <span class={iconOnly ? 'unseen' : undefined}>Attach files</span>
        <input type="file" name="files" multiple />
      </label>
      <ul class="attachments" data-chosen aria-label="Chosen files" hidden />
    </>
  );
}
