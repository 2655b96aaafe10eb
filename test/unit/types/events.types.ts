/**
 * Compiled by the static checks and never run: each line below `@ts-expect-error` is a mistake that the
 * type-check must find, or the comment itself is an error.
 */
import type { EventEmitter } from 'eventemitter3';
import type { ClientEvents, CloudBrowserClient } from '../../../src/core/index.js';
import type { Viewer, ViewerEvents } from '../../../src/viewer/index.js';

export function events(client: CloudBrowserClient, viewer: Viewer): unknown {
  client.on('rtt', (milliseconds) => milliseconds.toFixed()).once('focus', (field) => field?.id);
  // @ts-expect-error an event that there is not
  client.on('rrt', () => undefined);
  // @ts-expect-error an argument of another type
  client.once('rtt', (milliseconds: string) => milliseconds);
  // @ts-expect-error the argument may be undefined
  client.on('focus', (field) => field.id);
  // @ts-expect-error one argument too many
  viewer.off('place', (exact: boolean, other: boolean) => exact && other);
  // @ts-expect-error an event of the client
  viewer.on('welcome', () => undefined);
  // @ts-expect-error the argument is missing
  client.emit('rtt');
  // @ts-expect-error an argument of another type
  client.emit('rtt', '7');
  // @ts-expect-error one argument too many
  client.emit('rtt', 7, 7);
  // @ts-expect-error an event that there is not
  return client.listenerCount('rrt');
}

/** Events without a list of arguments would have arguments of any type. */
type AreLists<Events> = Events[keyof Events] extends readonly unknown[] ? true : false;

export const clientEventsAreLists: AreLists<ClientEvents> = true;
export const viewerEventsAreLists: AreLists<ViewerEvents> = true;

export function mixed(events: EventEmitter<ViewerEvents>): void {
  // @ts-expect-error an event of the client alone
  events.emit('rtt', 7);
}
