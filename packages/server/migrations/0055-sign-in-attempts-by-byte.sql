-- Subjects begin with the name of an account. Compared byte by byte, those of one account are a range of the
-- primary key. Other orders do not keep beginnings together.
alter table sign_in_attempts alter column subject type text collate "C";
