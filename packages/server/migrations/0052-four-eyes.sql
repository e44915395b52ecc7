-- Whether an approval needs another person than the one who asked, and above which amount (in the organization's
-- currency) a person gives the password to approve. Null: never.
alter table organizations
  add column require_four_eyes boolean not null default false,
  add column approval_password_above bigint check (approval_password_above > 0);

-- Who made links with which a person can come in as a member, and when the last one was made. With four eyes, the
-- member then counts as the maker for requests that were opened before.
create table member_links (
  organization_id uuid not null,
  member_id uuid not null,
  -- The member who made the link. Links of the operator are not kept here.
  made_by uuid not null,
  made_at timestamptz not null,
  primary key (organization_id, member_id, made_by),
  foreign key (organization_id, member_id) references members (organization_id, id)
);

-- Of members who are there already, only the time at which they joined is known. It is later than that of their
-- invitation, so that more is refused rather than less.
insert into member_links (organization_id, member_id, made_by, made_at)
select organization_id, id, created_by::uuid, created_at from members
where created_by ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

insert into member_links (organization_id, member_id, made_by, made_at)
select organization_id, member_id, created_by::uuid, max(created_at) from invitations
where kind = 'reset' and created_by ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
group by 1, 2, 3
on conflict (organization_id, member_id, made_by) do update
set made_at = greatest(member_links.made_at, excluded.made_at);
