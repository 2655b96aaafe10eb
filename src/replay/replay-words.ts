import { HostWords } from '../element/lang/words/host-words.js';
import { REPLAY_TEXTS } from '../element/lang/words/replay-in-english.js';
import { shownText } from '../element/lang/shown-text.js';
import type { ReplayKey } from '../element/lang/texts.js';
import { isDetailRole, type ReplayEvent } from './replay-events.js';

/** Texts of one element that shows a recording. */
export class ReplayWords extends HostWords {
  say(key: ReplayKey, values: Readonly<Record<string, string>> = {}): string {
    const text = this.told(key, REPLAY_TEXTS[key]);
    return text.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
  }

  /**
   * Returns the name of the type of an event. For an unknown type, for example from a newer service, returns
   * the type with spaces instead of underscores.
   */
  eventName({ type }: ReplayEvent): string {
    const key = `replay.event.${type}`;
    return isKey(key) ? this.say(key) : type.replaceAll('_', ' ');
  }

  /**
   * Returns the detail of an event in the element's language. Empty for a role that has no name in the texts,
   * because the names of roles are words for programs.
   */
  eventDetail(event: ReplayEvent): string {
    const { type, detail } = event;
    if (type === 'typing' && detail === '1') return this.say('replay.character');
    if (type === 'typing') {
      const count = new Intl.NumberFormat(this.lang).format(Number(detail));
      return this.say('replay.characters', { count });
    }
    if (!isDetailRole(event)) return shownText(detail);
    const key = `replay.role.${detail}`;
    return isKey(key) ? this.say(key) : '';
  }

  /** Returns the text of an event: its name, its detail and, with `withUser`, its user. */
  eventText(event: ReplayEvent, withUser: boolean): string {
    const user = withUser ? this.userName(event) : '';
    return [this.eventName(event), this.eventDetail(event), user].filter(Boolean).join(' · ');
  }

  /**
   * Returns the name of the user of an event: a number for a person, and its own name for an agent. Empty for
   * an event without a user, and for one that already has the name of the agent as its detail.
   */
  userName({ type, user, agent }: ReplayEvent): string {
    if (user === undefined) return '';
    const number = this.digits(String(user));
    if (agent === undefined) return this.say('replay.user', { number });
    const name = shownText(agent);
    return type === 'agent_connected' && name ? '' : this.say('replay.agent', { name: name || number });
  }
}

function isKey(key: string): key is ReplayKey {
  return key in REPLAY_TEXTS;
}
