import { faults, type Faults, type UserError } from 'agora-client/errors';
import { useId, useRef, useState, type ComponentProps, type FormEvent, type ReactNode } from 'react';

const none: Faults = { fields: {}, form: '' };

export interface FormState {
  faults: Faults;
  busy: boolean;
  submit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * Runs a mutation for a form, and sorts its errors to the fields and groups of fields. `run` returns them; none means
 * that it worked. Only what is no number does not get that far, because GraphQL cannot send it.
 */
export function useForm(run: (values: Record<string, string>) => Promise<readonly UserError[] | undefined>): FormState {
  const [state, setState] = useState({ faults: none, busy: false });
  const running = useRef(false);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (running.current) return;
    running.current = true;
    const form = event.currentTarget;
    const fields = [...form.elements] as (HTMLInputElement | HTMLFieldSetElement)[];
    const names = fields.map(({ name }) => name);
    const values: Record<string, string> = {};
    for (const [name, value] of new FormData(form)) values[name] = String(value);
    setState({ faults: none, busy: true });
    let found = none;
    try {
      const noNumbers = fields.filter(({ type, validity }) => type === 'number' && !validity.valid).map(
        ({ name, validationMessage }) => ({ code: 'INVALID', message: validationMessage, path: ['input', name] }),
      );
      found = faults(noNumbers.length ? noNumbers : (await run(values)) ?? [], names);
    } catch (error) {
      found = { fields: {}, form: (error as Error).message };
    }
    running.current = false;
    setState({ faults: found, busy: false });
    const first = names.find((name) => found.fields[name]);
    if (first) (form.elements.namedItem(first) as HTMLElement | null)?.focus();
  }
  return { ...state, submit: (event) => void submit(event) };
}

export function Form({ state, children, action, ...rest }: {
  state: FormState; children: ReactNode; action: ReactNode;
} & Omit<ComponentProps<'form'>, 'action'>) {
  return (
    <form className="form" noValidate {...rest} onSubmit={state.submit}>
      {children}
      <p className="fault" role="alert">{state.faults.form}</p>
      <div className="actions">{action}</div>
    </form>
  );
}

export const Save = ({ cancel }: { cancel: () => void }) => (
  <>
    <button className="primary">Save</button>
    <button type="button" onClick={cancel}>Cancel</button>
  </>
);

type FieldProps = ComponentProps<'input'>
  & { label: string; name: string; state: FormState; hint?: string; lines?: number; options?: Record<string, string> };

/** An input, a text of several lines, or a choice: of options, by their values, or of children. */
export function Field({ label, name, state, hint, lines, options, children, ...rest }: FieldProps) {
  const id = useId();
  const fault = state.faults.fields[name];
  const choices = options
    ? Object.entries(options).map(([value, text]) => <option key={value} value={value}>{text}</option>) : children;
  const shared = {
    id, name, dir: 'auto', 'aria-invalid': fault ? true : undefined,
    'aria-describedby': `${id}-hint ${id}-fault`,
  } as const;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {choices ? <select {...shared} defaultValue={rest.defaultValue}>{choices}</select>
        : lines ? <textarea {...shared} rows={lines} defaultValue={rest.defaultValue} placeholder={rest.placeholder} />
          : <input {...shared} {...rest} />}
      {hint && <p className="hint" id={`${id}-hint`}>{hint}</p>}
      <p className="fault" id={`${id}-fault`} role="alert">{fault}</p>
    </div>
  );
}

export const Check = ({ label, ...rest }: { label: string } & ComponentProps<'input'>) => (
  <label className="check"><input type="checkbox" {...rest} />{label}</label>
);
