/**
 * Kind of a CDP session in which a method may be called. `target`: the session of a page, frame or worker.
 */
export type Level = 'browser' | 'target' | 'both';

/**
 * Rule of one method.
 * - `forwarded`: passed to the browser, or to the target of the command's CDP session.
 * - `synthesised`: answered by the relay, see `TargetCommands` and `OwnCommands`.
 * - `accepted`: answered, without an effect.
 * - `refused`: answered with an error that has the reason.
 */
export type MethodRow =
  | {
      readonly kind: 'forwarded';
      readonly level: Level;
      /**
       * True if the method waits while a person has control. `gesture`: waits only if the parameter
       * `userGesture` is true.
       */
      readonly acts: boolean | 'gesture';
      /**
       * True if a program needs the role `control` although the method does not wait. Such a method can
       * change a page or its requests, or read data that a page does not show to its viewers.
       */
      readonly control?: true;
      /** True for parameters that have no effect. The role `control` is then not needed. */
      readonly isNeutral?: NeutralCheck;
      /**
       * True if only one such command of all programs runs at a time. The total time of such commands is
       * limited.
       */
      readonly alone?: true;
      /** True if the answer may be large. Only a few such commands of a program run at the same time. */
      readonly large?: true;
    }
  | { readonly kind: 'synthesised'; readonly level: Level; readonly acts: boolean }
  | { readonly kind: 'accepted'; readonly level: Level; readonly result: object }
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** True for parameters that have no effect. The relay then accepts the command. */
      readonly isNeutral?: NeutralCheck;
    };

/** Returns true for parameters with which a method has no effect. */
export type NeutralCheck = (params: Readonly<Record<string, unknown>>) => boolean;

/** Forwarded to a page, frame or worker, also while a person has control. */
export const reads: MethodRow = { kind: 'forwarded', level: 'target', acts: false };
/** Forwarded to a page, frame or worker. The answer may be large. */
export const readsMuch: MethodRow = { kind: 'forwarded', level: 'target', acts: false, large: true };
/** Forwarded to a page, frame or worker. Waits while a person has control. */
export const acts: MethodRow = { kind: 'forwarded', level: 'target', acts: true };
/**
 * Forwarded, also while a person has control, to programs with the role `control`. Such a method can change a
 * page or its requests.
 */
export const changes = {
  kind: 'forwarded',
  level: 'target',
  acts: false,
  control: true,
} as const satisfies MethodRow;
/** Like {@link changes}. Parameters that have no effect do not need the role `control`. */
export const changesUnless = (isNeutral: NeutralCheck): MethodRow => ({ ...changes, isNeutral });
/** Forwarded to programs with the role `control`, like {@link changes}. The answer may be large. */
export const changesMuch: MethodRow = { ...changes, large: true };
/**
 * Forwarded, also while a person has control, to programs with the role `control`. Such a method reads data
 * that a page does not show, for example cookies, requests, hidden fields, or the text of a password field.
 */
export const reveals: MethodRow = changes;
/** Like {@link reveals}. The answer may be large. */
export const revealsMuch: MethodRow = changesMuch;
/** Like {@link revealsMuch}, for methods of the browser, or of a page, frame or worker. */
export const revealsMuchAnywhere: MethodRow = { ...revealsMuch, level: 'both' };
/** Like {@link reveals}, one command at a time, because such a command needs much processor time. */
export const revealsAlone: MethodRow = { ...reveals, alone: true };
/**
 * Forwarded to programs with the role `control`. Waits while a person has control if the command has
 * `userGesture`. With this parameter, a script may do what otherwise needs input of a user, for example open
 * a window. Scripts without it do not wait, because programs read pages with them.
 */
export const actsByGesture: MethodRow = {
  kind: 'forwarded',
  level: 'target',
  acts: 'gesture',
  control: true,
  large: true,
};
/** Forwarded, one command at a time, because such a command needs much processor time. */
export const readsAlone: MethodRow = { kind: 'forwarded', level: 'target', acts: false, alone: true };
/** Forwarded to the browser, or to a page, frame or worker. */
export const readsAnywhere: MethodRow = { kind: 'forwarded', level: 'both', acts: false };
/** Forwarded to the browser, or to a page, frame or worker. The answer may be large. */
export const readsMuchAnywhere: MethodRow = { kind: 'forwarded', level: 'both', acts: false, large: true };
/** Forwarded to the browser, or to a page, frame or worker. Waits while a person has control. */
export const actsAnywhere: MethodRow = { kind: 'forwarded', level: 'both', acts: true };
/** Answered by the relay. */
export const own: MethodRow = { kind: 'synthesised', level: 'both', acts: false };
/** Answered by the relay. Waits while a person has control. */
export const ownActs: MethodRow = { kind: 'synthesised', level: 'both', acts: true };
/** Answered without an effect. */
export const accepted: MethodRow = { kind: 'accepted', level: 'both', result: {} };
/** Refused with a reason, except with parameters that have no effect. */
export const refused = (reason: string, isNeutral?: NeutralCheck): MethodRow => ({
  ...{ kind: 'refused', reason },
  ...(isNeutral && { isNeutral }),
});

/** A command, as far as it decides about control. */
interface Acting {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** True if a command waits while a person has control. */
export function actsNow({ params }: Acting, rule: MethodRow): boolean {
  if (rule.kind === 'synthesised') return rule.acts;
  if (rule.kind !== 'forwarded') return false;
  return rule.acts === 'gesture' ? params['userGesture'] === true : rule.acts;
}

/** True if a program without the role `control` may not call the method, even while nobody has control. */
export function needsControl({ params }: Acting, rule: MethodRow): boolean {
  return rule.kind === 'forwarded' && rule.control === true && rule.isNeutral?.(params) !== true;
}

/** True if a command that acts may move the focus. */
export function movesFocus({ method }: Acting, rule: MethodRow): boolean {
  return method === 'DOM.focus' || (rule.kind === 'forwarded' && rule.acts === 'gesture');
}
