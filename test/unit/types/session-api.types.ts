/**
 * Compiled by the static checks and never run: each line below `@ts-expect-error` is a mistake that the
 * type-check must find, or the comment itself is an error.
 */
import type { Calls } from '../../../server/src/host/room/calls/calls.js';
import { forAdmins, forAll, forRole } from '../../../server/src/host/room/calls/access.js';
import { noArguments } from '../../../server/src/host/room/calls/arguments.js';
import { CallError } from '../../../server/src/host/room/calls/call-error.js';
import type { HostCalls } from '../../../server/src/pool/host/host-calls.js';
import { HostCallError } from '../../../server/src/sessions/host-call-error.js';
import type { Session } from '../../../server/src/sessions/session.js';
import type { CloudBrowserApi, CreateSession, NewToken, RecordingFilters } from '../../../src/api/index.js';
import type { CallError as SdkCallError, CloudBrowserClient } from '../../../src/core/index.js';
import type { SessionMethods, SessionUser, Tab } from '../../../src/protocol/index.js';
import type { Viewer } from '../../../src/viewer/index.js';
import type { FakeConnection } from '../../fakes/fake-host.js';
import type { FakeHost } from '../../fakes/fake-host-pool.js';
import type { RawClient } from '../../fakes/fake-room.js';

export async function client(client: CloudBrowserClient): Promise<unknown> {
  const { remote, users, tabs } = client;
  const listed: SessionUser[] = await remote.call('users.list');
  const found: Tab[] = await remote.call('tabs.query', [{ active: true }], { adminToken: 'token' });
  // @ts-expect-error a method that there is not
  await remote.call('user.list');
  // @ts-expect-error a method that there is not
  await remote.forward('tabs.qurey', [{}]);
  // @ts-expect-error an argument is missing
  await remote.call('kick');
  // @ts-expect-error an argument of another type
  await remote.call('kick', [7]);
  // @ts-expect-error one argument too many
  await remote.call('control.take', ['user']);
  // @ts-expect-error a key that there is not
  await remote.call('tabs.query', [{ activ: true }]);
  // @ts-expect-error a permission that there is not
  await remote.call('setPermissions', ['user', { priorities: 1 }]);
  // @ts-expect-error a role that there is not
  await remote.call('addRoles', [['user'], ['cursor-data']]);
  // @ts-expect-error the result is a user
  const me: string = await remote.call('users.me');
  // @ts-expect-error an event that there is not
  await remote.subscribe('users.onJoin', () => undefined);
  // @ts-expect-error an event that there is not
  await remote.call('subscribe', ['users.onJoin']);
  // @ts-expect-error the event has a user, not a name
  await remote.subscribe('users.onJoined', (name: string) => name);
  // @ts-expect-error an event that there is not
  remote.unsubscribe('tabs.onUpdate', () => undefined);
  // @ts-expect-error an event that there is not
  await users.on('join', () => undefined);
  // @ts-expect-error a role that there is not
  await users.addRoles(['user'], ['admin']);
  // @ts-expect-error a key that there is not
  await tabs.update(null, { activ: true });
  // @ts-expect-error a method that there is not
  const { close } = tabs;
  // @ts-expect-error the event has a number, not a text
  await tabs.onReplaced.addListener((added: string) => added);
  // @ts-expect-error a side is a number
  await client.resize('800', 600);
  return [listed, found, me, close];
}

export async function embedModule({ client: { remote } }: Viewer, args: unknown[]): Promise<void> {
  await remote.forward('tabs.query', args);
  // @ts-expect-error a method that there is not
  await remote.forward('tabs.qurey', args);
  // @ts-expect-error an event that there is not
  await remote.subscribe('users.onPointers', () => undefined);
}

export function codes(error: SdkCallError): boolean {
  // @ts-expect-error a code that there is not
  return error.code === 'err_forbiden';
}

export async function service(session: Session, calls: HostCalls): Promise<unknown> {
  const listed: SessionUser[] = await session.host.call('users.list', []);
  // @ts-expect-error a method that there is not
  await session.host.call('users.kick', ['user']);
  // @ts-expect-error an argument of another type
  await session.host.call('kick', [7]);
  // @ts-expect-error a method that there is not
  await session.host.forward('setPermission', []);
  // @ts-expect-error a method that there is not
  await calls.begin('tabs.close', []);
  // @ts-expect-error a code that there is not
  const error = new HostCallError('err_timeout', 'Too late.');
  return [listed, error];
}

export function host(calls: Calls): void {
  // @ts-expect-error a method that there is not
  calls.add('users.you', { access: forAll, check: noArguments }, () => undefined);
  // @ts-expect-error nothing says who may
  calls.add('control.take', { check: noArguments }, () => undefined);
  // @ts-expect-error the result is a text
  calls.add('clipboard.read', { access: forAll, check: noArguments }, () => 7);
  // @ts-expect-error the check returns something else
  calls.add('kick', { access: forAdmins, check: noArguments }, () => undefined);
  // @ts-expect-error the argument is a text
  calls.add('kick', { access: forAdmins, check: () => ['user'] }, ([id]: [number]) => void id.toFixed());
  // @ts-expect-error an event that there is not
  calls.addEvent('users.onJoin', forAdmins);
  // @ts-expect-error an event that there is not
  calls.publish('users.onMoved', ['user']);
  // @ts-expect-error an argument of another type
  calls.publish('users.onPointerLeft', [7]);
  // @ts-expect-error a role that there is not
  forRole('chrome_api');
  // @ts-expect-error a code that there is not
  throw new CallError('err_invalid_argument', 'No.');
}

export async function tests(room: RawClient, connection: FakeConnection, fake: FakeHost): Promise<void> {
  // @ts-expect-error a method that there is not
  await room.call('users.you');
  // @ts-expect-error an argument of another type
  await room.admin('kick', 7);
  // @ts-expect-error an event that there is not
  connection.send({ type: 'event', name: 'news', args: [] });
  // @ts-expect-error a code that there is not
  connection.send({ type: 'answer', id: 1, error: { code: 'err_no', message: 'No.' } });
  // @ts-expect-error a method that there is not
  await fake.call('users.you', []);
}

export async function backend(session: ReturnType<CloudBrowserApi['session']>): Promise<Tab[]> {
  // @ts-expect-error a method that there is not
  await session.tabs('qurey', {});
  // @ts-expect-error an argument of another type
  await session.tabs('remove', '7');
  // @ts-expect-error a role that there is not
  await session.addRoles(['user'], ['admin']);
  return session.tabs('query', { active: true });
}

/** Values that may be missing are allowed in requests. */
export function requests(tenant: string | undefined): [CreateSession, NewToken, RecordingFilters] {
  return [
    { tenant_id: tenant, automation: { name: tenant, roles: ['control'] } },
    { scope: 'view', user_id: tenant },
    { tenant },
  ];
}

/** The roles of agents are those of viewers. */
// @ts-expect-error a role that there is not
export const agents: CreateSession = { automation: { roles: ['controll'] } };

/** A table of methods has all of them. */
// @ts-expect-error all methods but one are missing
export const table: Record<keyof SessionMethods, true> = { resize: true };
