create table if not exists item(id int primary key, name varchar(50) not null, stock int not null check (stock >= 0));
create table if not exists orders(id int generated always as identity primary key, item int not null, amount int not null, buyer varchar(50) not null);
