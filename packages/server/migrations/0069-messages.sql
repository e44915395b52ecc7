-- The kinds of messages that a member has chosen. Without a row, the defaults of the role apply.
create table message_choices (
  organization_id uuid not null,
  member_id uuid not null,
  kinds text[] not null,
  updated_at timestamptz not null,
  primary key (organization_id, member_id),
  foreign key (organization_id, member_id) references members (organization_id, id)
);

-- The chat to which an organization's messages go: the sealed URL of a Slack-compatible webhook.
create table message_chats (
  organization_id uuid primary key references organizations (id),
  -- The origin of the URL, without the parts that only the receiver should know.
  receiver text not null,
  sealed bytea not null,
  kinds text[] not null,
  updated_at timestamptz not null
);

-- How far the events of an organization were turned into messages.
create table message_cursors (
  organization_id uuid primary key references organizations (id),
  -- The number of the last entry of the feed that was read.
  read_to bigint not null,
  -- The last failed delivery that was read.
  failed_to uuid not null,
  -- The latest pause of a failing webhook endpoint that was read.
  paused_to timestamptz not null
);

-- Messages that wait to be sent, and for some days those that were. A message names things by their ids; its text is
-- made when it is sent.
create table messages (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  channel text not null check (channel in ('mail', 'chat')),
  -- 'invitation', or one of the kinds that members choose from.
  kind text not null,
  -- The member; the invitation; for a chat, the organization itself.
  recipient_id uuid not null,
  -- The first things that the message is about: approvals, events, deliveries or webhook endpoints.
  items uuid[] not null,
  -- How many things the message is about, with those that `items` has no room for.
  item_count integer not null,
  status text not null check (status in ('waiting', 'sent', 'failed', 'dropped')),
  failures integer not null default 0,
  -- The end of the lease while a process sends the message.
  due_at timestamptz not null,
  -- Set while a process sends the message.
  lease_id uuid,
  -- For an invitation: the sealed token of its link, until the message has ended, and the address.
  sealed_token bytea,
  address text,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (organization_id, id)
);
create index messages_due on messages (organization_id, channel, due_at) where status = 'waiting';
create index messages_ended on messages (organization_id, ended_at) where status <> 'waiting';
create index messages_by_age on messages (created_at);
