import { HostWords } from '../element/lang/host-words.js';
import { REPLAY_TEXTS } from '../element/lang/replay-in-english.js';
import type { ReplayKey } from '../element/lang/texts.js';
import type { ReplayEvent } from './replay-events.js';

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

  /** Returns the text of an event: its name, its detail and, with `withUser`, its user. */
  eventText(event: ReplayEvent, withUser: boolean): string {
    const user = withUser && event.user !== undefined ? this.userName(event.user) : '';
    return [this.eventName(event), event.detail, user].filter(Boolean).join(' · ');
  }

  userName(number: number): string {
    return this.say('replay.user', { number: this.digits(String(number)) });
  }
}

function isKey(key: string): key is ReplayKey {
  return key in REPLAY_TEXTS;
}
