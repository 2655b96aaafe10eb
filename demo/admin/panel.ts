import type { CloudBrowserClient } from '../../src/index.js';
import { Activity } from './activity.js';
import { attempt } from '../session/attempt.js';
import { Crowd, type CrowdEvent } from './crowd.js';
import type { Names } from './names.js';
import { PeoplePanel } from './people-panel.js';
import { inWords } from './roles.js';
import { TabStrip } from './tab-strip.js';

/** Admin panel: the views and actions of an admin, with one client that has the admin token. */
export class Panel {
  readonly #crowd: Crowd;
  readonly #people: PeoplePanel;
  readonly #tabs: TabStrip;
  readonly #activity: Activity;

  /** Expects a client that is about to connect. */
  constructor(
    private readonly client: CloudBrowserClient,
    names: Names,
  ) {
    this.#crowd = new Crowd(
      client,
      () => this.#people.update(),
      (event) => this.#tell(event),
    );
    this.#people = new PeoplePanel(client, this.#crowd, names.of);
    this.#tabs = new TabStrip(client);
    this.#activity = new Activity(names.of);
    names.onChange = () => {
      this.#people.update();
      this.#activity.update();
    };
    this.#people.update();
    attempt(this.#crowd.follow());
    attempt(this.#tabs.follow());
  }

  /** Reads the whole state again. Called after every connection. */
  refresh(): void {
    attempt(this.#crowd.refresh());
    this.#tabs.refresh();
  }

  /** Gives the admin priority over all other users. */
  takeControl(): void {
    attempt(this.client.users.takeControl());
  }

  /** Gives all users the same priority again. */
  shareControl(): void {
    attempt(this.client.users.giveControl(null));
  }

  #tell(event: CrowdEvent): void {
    for (const sentence of sentencesOf(event)) this.#activity.add(event.user.id, sentence);
  }
}

/** Describes an event as an action of its user. */
function sentencesOf(event: CrowdEvent): string[] {
  switch (event.type) {
    case 'joined':
      return ['joined'];
    case 'left':
      return ['left'];
    case 'asks':
      return ['asks for control'];
    case 'controls':
      return ['has control'];
    case 'stops':
      return ['no longer has control'];
    case 'roles': {
      const { added, removed } = event;
      return [
        ...(added.length > 0 ? [`was given ${inWords(added)}`] : []),
        ...(removed.length > 0 ? [`lost ${inWords(removed)}`] : []),
      ];
    }
  }
}
